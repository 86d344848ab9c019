"""German words and the words that say the same, form by form and with the same gender.

Written by hand from general knowledge of the language: common words, none taken from a corpus.
"""

__all__ = ["FINITE", "FIXED", "NOUNS", "PARTICIPLES", "QUALITIES"]

FINITE = """
erhielt = bekam; bekam = erhielt; erhält = bekommt; erwarb = kaufte;
kaufte = erwarb; entdeckte = fand; besiegte = schlug; verwendete = nutzte; nutzte = verwendete;
benutzte = verwendete; verwendet = nutzt; lebte = wohnte; wohnte = lebte;
beschrieb = schilderte; beschreibt = schildert; forderte = verlangte; verlangte = forderte;
fordert = verlangt; verlangt = fordert; verbot = untersagte; verbietet = untersagt;
erlaubte = gestattete; erlaubt = gestattet;
förderte = unterstützte; unterstützte = förderte; schrieb = verfasste; verfasste = schrieb;
enthält = beinhaltet; beinhaltet = enthält; leitete = führte;
unterzeichnete = unterschrieb; kritisierte = bemängelte; veröffentlichte = publizierte;
publizierte = veröffentlichte; zerstörte = vernichtete; vernichtete = zerstörte;
benötigt = braucht; benötigte = brauchte; braucht = benötigt;
beherrschte = dominierte; dominierte = beherrschte; dominiert = beherrscht;
verursachte = bewirkte; verursacht = bewirkt; bewirkt = verursacht;
baute = errichtete;
erzeugt = produziert; produziert = erzeugt; produzierte = erzeugte;
verhinderte = vereitelte;
transportierte = beförderte; übergab = überreichte;
"""
"""Finite forms; the plural adds an `n` or `en` on both sides by rule."""

PARTICIPLES = """
gebaut = errichtet; erbaut = errichtet; errichtet = erbaut;
veröffentlicht = publiziert; publiziert = veröffentlicht;
erworben = gekauft; gekauft = erworben; entdeckt = gefunden; gefunden = entdeckt;
zerstört = vernichtet; vernichtet = zerstört; besiegt = geschlagen; verwendet = benutzt;
benutzt = verwendet; genutzt = verwendet; benötigt = gebraucht;
beschrieben = geschildert; gefordert = verlangt; verboten = untersagt;
erlaubt = gestattet; ermordet = umgebracht; hergestellt = produziert;
produziert = hergestellt; angegriffen = attackiert;
erobert = eingenommen; ersetzt = abgelöst; verursacht = hervorgerufen; geschrieben = verfasst;
verfasst = geschrieben; geleitet = geführt; beendet = abgeschlossen;
abgeschafft = aufgehoben; unterzeichnet = unterschrieben; abgelehnt = zurückgewiesen;
vorgeschlagen = angeregt; betrachtet = angesehen; angesehen = betrachtet;
transportiert = befördert; fertiggestellt = vollendet; vollendet = fertiggestellt;
durchgeführt = vorgenommen; vorgenommen = durchgeführt; kritisiert = bemängelt;
verhaftet = festgenommen; festgenommen = verhaftet;
erweitert = ausgebaut; vergrößert = ausgebaut; gefördert = unterstützt;
unterstützt = gefördert; geehrt = gewürdigt;
beschlossen = vereinbart; übergeben = überreicht; verändert = umgestaltet; verhindert = vereitelt;
"""
"""Participles, put for one another after a form of "werden" or "sein" alone."""

QUALITIES = """
wichtigst = bedeutendst; bedeutendst = wichtigst; verschieden = unterschiedlich;
unterschiedlich = verschieden; berühmt = bekannt; bekannt = berühmt; ehemalig = einstig;
notwendig = nötig; erforderlich = nötig; bedeutend = wichtig; wichtig = bedeutend;
riesig = gewaltig;
gewaltig = riesig;
gebräuchlich = üblich; üblich = gebräuchlich;
beträchtlich = erheblich; erheblich = beträchtlich;
"""
"""Adjectives without their ending, which is kept."""

NOUNS = """
Begriff = Ausdruck; Anzahl = Zahl; Einwohner = Bewohner; Bewohner = Einwohner;
Erkrankung = Krankheit; Krankheit = Erkrankung; Arzt = Mediziner;
Wissenschaftler = Forscher; Forscher = Wissenschaftler; Region = Gegend; Gegend = Region;
Gebäude = Bauwerk; Bauwerk = Gebäude; Rede = Ansprache; Ansprache = Rede; Wohlstand = Reichtum;
Abkommen = Übereinkommen; Herrscher = Regent; Regent = Herrscher; Folge = Auswirkung;
Auswirkung = Folge; Folgen = Auswirkungen; Auswirkungen = Folgen; Prozentsatz = Anteil;
Anteil = Prozentsatz; Methode = Vorgehensweise; Methoden = Vorgehensweisen;
Aufgabe = Funktion; Funktion = Aufgabe; Vorschrift = Regelung; Vorschriften = Regelungen;
Gebiet = Areal; Schriftsteller = Autor; Autor = Verfasser;
Truppen = Soldaten;
"""
"""Nouns of one gender and one declension."""

FIXED = """
ungefähr = etwa; circa = etwa; häufig = oft; oft = häufig; hauptsächlich = vor allem;
vorwiegend = vor allem; derzeit = momentan; gegenwärtig = derzeit;
zunächst = anfangs; anschließend = danach; zahlreiche = viele; etwa = ungefähr;
in der Regel = meistens; normalerweise = gewöhnlich; meistens = in der Regel;
"""
"""Adverbs and fixed phrases, which have one form."""
