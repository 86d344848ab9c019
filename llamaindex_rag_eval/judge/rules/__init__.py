"""Language rules that answer the judge's requests: deterministic, offline, without a model.

A language that the rules are to read well (they know English, German, Japanese and Chinese) has
its words in these tables, all of them optional:

- `sentences`: abbreviations that end no sentence, and marks that end one;
- `vocabulary`: function words, by which `language_of` recognises a language, too;
- `weights`: common words;
- `lexicon`: synonyms, opposites, negations;
- `numerals`: numbers in words;
- `clauses`: finite verbs, pronouns, conjunctions;
- `claims`: greetings, prefaces, phrases of doubt;
- `answers`: "yes" and "no";
- `refusals`: phrases that decline to answer;
- `entities`: months, units, articles;
- `questions`, `extractive`: templates of questions, and the sentence for "no answer";
- `tokens`: `language_of` and, for another script, the characters of a token.
"""
