"""The command lines that are recorded, in the order in which they run: later ones read files of earlier.

They run in a folder with the demo's documents in `docs`, its output in `demo`, and `FILES`.
`{llm}` is a model at a server on loopback.
"""

from collections.abc import Mapping

FILES: Mapping[str, str] = {
    "my_app.py": (
        "def engine(question):\n"
        "    return {'response': f'It says: {question}', 'contexts': ['It says.', question]}\n\n\n"
        "def broken(question):\n    raise ValueError('no answer')\n\n\n"
        "def make(rate):\n"
        "    def answer(question):\n"
        "        right = int(question.rstrip('?').split()[-1]) % 10 < rate\n"
        "        return {'response': 'answer ' * right, 'contexts': [question]}\n"
        "    return answer\n"
    ),
    "small.jsonl": (
        '{"id": "a", "query": "Where is Paris?", "response": "Paris is on the Seine.", '
        '"contexts": ["Paris is on the Seine.", "Rome is old."], "reference": "On the Seine."}\n'
        '{"id": "b", "query": "Where is Rome?", "response": "Rome is on the Rhine.", '
        '"contexts": ["Rome is on the Tiber."], "reference": "On the Tiber."}\n'
        '{"id": "c", "query": "Where is Bonn?", "response": "I do not know.", '
        '"contexts": ["Bonn is on the Rhine."], "reference": "On the Rhine."}\n'
    ),
    "other.jsonl": (
        '{"id": "a", "query": "Where is Paris?", "response": "In France.", '
        '"contexts": ["Paris is on the Seine."], "reference": "On the Seine."}\n'
        '{"id": "b", "query": "Where is Rome?", "response": "Rome is on the Tiber.", '
        '"contexts": ["Rome is on the Tiber."], "reference": "On the Tiber."}\n'
        '{"id": "c", "query": "Where is Bonn?", "response": "Bonn is on the Rhine.", '
        '"contexts": ["Bonn is on the Rhine."], "reference": "On the Rhine."}\n'
    ),
    "small.csv": "question,answer\nWhere is Paris?,On the Seine.\n",
    "talk.jsonl": '{"question": "Is it heavy?", "script": ["Sure?", "Thanks."]}\n',
    "broken.jsonl": '{"query": "a"}\n{"query": \n',
    "labels.csv": "id,metric,label\na,faithfulness,1\nb,faithfulness,0\n",
    "wrong_labels.csv": "id,metric,label\na,faithfulness,maybe\n",
    "logs.jsonl": '{"user_input": "Who?", "ground_truth": "Ada."}\n{"input": "who?"}\n',
    "prices.json": '{"gpt-4o-mini": {"prompt": 1000000, "completion": 0}}',
    "traces.json": '{"resourceSpans": []}',
    "sweep.yaml": (
        "golden: numbers.jsonl\nengines:\n  - factory: my_app:make\n    grid: {rate: [9, 2, 1]}\n"
        "metrics: string_presence\n"
    ),
    "wrong_sweep.yaml": "golden: numbers.jsonl\nengines: []\nmargn: 1\n",
    "numbers.jsonl": "".join(
        f'{{"id": "q{n}", "query": "What is number {n}?", "reference": "answer"}}\n'
        for n in range(40)
    ),
    "project/rag-eval.toml": '[evaluate]\nmetrics = ["exact_match"]\nquiet = true\n',
    "wrong_project/rag-eval.toml": '[evaluate]\nmetrix = "exact_match"\n',
}
"""Path -> content."""

LINES = """
--version
nonsense
--nonsense

more metrics --json
more metrics faithfulness --json
more metrics ndcg --json
more metrics llm_context_recall --json
more metrics faithfulnes
more metrics faithfulness ndcg

init new --json
init new
init small.jsonl

generate docs -o six.jsonl --size 6 --json
generate docs -o six.jsonl --size 8 --extend six.jsonl --json -q
generate docs/de -o german.jsonl --size 4 --language de --types single_hop --seed 3 --json -q
generate docs/policies -o many.jsonl --size 200 --json -q
generate docs/sites -o llm.jsonl --size 4 --llm {llm} --dry-run --json
generate docs -o x.jsonl --types nonsense
generate docs -o x.jsonl --size 0
generate docs -o x.jsonl --max-calls 5
generate docs -o x.jsonl --batch-submit
generate docs -o x.jsonl --on nonsense
generate absent
generate

run six.jsonl --docs docs -o bm25.jsonl --json -q
run six.jsonl --docs docs --retriever embedding --top-k 2 -o embedding.jsonl --json -q
run small.jsonl --engine my_app:engine -o mine.jsonl --repeats 2 --json -q
run small.jsonl --engine my_app:broken -o broken_out.jsonl --json
run talk.jsonl --engine my_app:engine --user script --turns 2 -o talked.jsonl --json -q
run small.jsonl --engine my_app:absent
run small.jsonl --engine absent_app:engine
run small.jsonl --docs docs --retriever nonsense
run small.jsonl
run small.jsonl --engine my_app:engine --docs docs
run absent.jsonl --engine my_app:engine
run small.jsonl --engine my_app:engine --concurrency 0
run small.jsonl --engine http://127.0.0.1:9/ask --header "Authorization: Bearer abc"

evaluate bm25.jsonl -o scored-bm25.csv --json -q
evaluate embedding.jsonl -o scored-embedding.csv -m "mrr,hit_rate@3,ndcg@10(gain=exponential)" --clusters none --json -q
evaluate small.jsonl -o first.csv -m faithfulness,context_recall,exact_match --json --keep --name first --tag ci --store runs.db
evaluate other.jsonl -o second.csv -m faithfulness,context_recall,exact_match --json --keep --name second --tag ci --store runs.db
evaluate small.csv -o table.csv -m answer_relevancy --json
evaluate small.jsonl -o llm.csv -m faithfulness,answer_correctness --llm {llm} --cache replies.db --json -q
evaluate small.jsonl -o llm.csv -m faithfulness,answer_correctness --llm {llm} --cache replies.db --json -q
evaluate small.jsonl -o dry.csv -m faithfulness --llm {llm} --dry-run --prices prices.json --json
evaluate small.jsonl -o votes.csv -m faithfulness --llm {llm} --votes 3 --no-cache --json -q
evaluate small.jsonl -o budget.csv -m faithfulness --llm {llm} --max-calls 1 --concurrency 1 --no-cache -q
evaluate small.jsonl -o batch.csv -m faithfulness --llm {llm} --batch batch -q
evaluate small.jsonl -o batch.csv -m faithfulness --llm {llm} --batch batch --batch-submit --json -q
evaluate small.jsonl -o japanese.csv -m faithfulness --llm {llm} --prompts ja --no-cache --json -q
evaluate small.jsonl -o json.csv -m faithfulness --llm {llm} --call reply-format=json --call logprobs=no --call timeout=9 --call retries=1 --call patience=5s --call reply-limit=900 --no-cache --json -q
evaluate small.jsonl -m nonsense
evaluate small.jsonl -m "faithfulness(nonsense=1)"
evaluate small.jsonl -m "ndcg@10(gain"
evaluate small.jsonl -m pairwise_preference -o x.csv
evaluate small.jsonl --llm nonsense
evaluate small.jsonl --llm no-such-provider:x
evaluate small.jsonl --judge nonsense
evaluate small.jsonl --votes 3
evaluate small.jsonl --llm {llm} --votes 2
evaluate small.jsonl --clusters nonsense
evaluate small.jsonl --prompts nonsense --llm {llm}
evaluate small.jsonl --call patience=soon --llm {llm}
evaluate small.jsonl --call nonsense=1 --llm {llm}
evaluate small.jsonl --reply-format nonsense --llm {llm}
evaluate small.jsonl --batch-format azure
evaluate small.jsonl --workers -1
evaluate small.jsonl --batch batch
evaluate small.jsonl --on nonsense -o x.csv
evaluate small.jsonl -m faithfulness --cache prices.json --llm {llm} -o x.csv
evaluate broken.jsonl
evaluate absent.jsonl
evaluate docs
evaluate traces.json
evaluate

compare bm25.jsonl embedding.jsonl --json -q
compare demo/scores-windows.jsonl demo/scores-sections.jsonl --json --report ab.html --margin .05
compare small.jsonl other.jsonl -m faithfulness --llm {llm} --json -q
compare first second --store runs.db --json --clusters none
compare demo/scores-sections.jsonl demo/scores-windows.jsonl demo/scores-windows.jsonl --json
compare small.jsonl
compare demo/scores-windows.jsonl small.jsonl
compare demo/scores-windows.jsonl demo/scores-sections.jsonl -m nonsense

more sweep sweep.yaml -o swept --json -q
more sweep wrong_sweep.yaml
more sweep absent.yaml

more plan -m mrr --effect .1 --json
more plan --pilot first.jsonl --pilot second.jsonl --effect .3 -n 20 --json
plan
more plan -m mrr --effect 2

report demo/scores-windows.jsonl -o report.html --json
report small.jsonl
runs show demo/scores-sections.jsonl --json
runs show last --store runs.db --json
runs show nonsense --store runs.db
runs --store runs.db --json
runs --add demo/scores-windows.jsonl --name demo --store runs.db --json
runs --delete demo --store runs.db --json
runs --delete nonsense --store runs.db
trend faithfulness --store runs.db --json
ui absent_folder

gate demo/scores-sections.jsonl --min answer_verdict=.5 --max-missing 0 --junit gate.xml --summary gate.md --json
gate demo/scores-windows.jsonl --min answer_verdict=.5 --min-lower-bound mrr=.2 --json
gate demo/scores-sections.jsonl --no-worse-than demo/scores-windows.jsonl --margin .05 --margin faithfulness=.1 --json
gate demo/scores-windows.jsonl --no-worse-than demo/scores-sections.jsonl --margin .05 --json
gate second --no-worse-than first --store runs.db --json
gate second --no-worse-than first --store runs.db --allow-inconclusive --json
gate last
gate demo/scores-windows.jsonl
gate demo/scores-windows.jsonl --min faithfulness
gate demo/scores-windows.jsonl --min nonsense=.5
gate demo/scores-windows.jsonl --min exact_match=.5
gate demo/scores-windows.jsonl --no-worse-than absent.jsonl

more calibrate labels.csv --run first --store runs.db --json
label demo/scores-sections.jsonl --size 6 --to-csv sheet.csv --metric faithfulness --seed 1 --json
label demo/scores-sections.jsonl --size 6 --to-csv sheet.csv --metric faithfulness
more calibrate --run first --store runs.db --next 6
more calibrate wrong_labels.csv --run first --store runs.db
more calibrate --run first --store runs.db

stability small.jsonl --llm {llm} -m faithfulness -r 2 --json
more traces traces.json -o traced.jsonl
more traces traces.json --mask "S-[0-9]"
golden add added.jsonl logs.jsonl --json
golden add added.jsonl logs.jsonl --referenced --json
golden add added.jsonl absent.jsonl
golden card demo/golden.jsonl -o card.md
golden card small.jsonl
golden review absent.jsonl
golden refresh six.jsonl docs -o refreshed.jsonl --json
golden refresh six.jsonl docs/policies -o refreshed.jsonl --json
golden refresh six.jsonl absent
golden export six.jsonl --to ragas -o six-ragas.jsonl --json
golden export six.jsonl --to csv -o six.csv --json
golden export six.jsonl --to beir -o six-beir --docs docs --json
golden export six.jsonl --to nonsense -o x.jsonl
golden import six-ragas.jsonl --from ragas --docs docs -o imported.jsonl --json
golden import six-beir --from beir --docs docs -o imported-beir.jsonl --json
golden import small.jsonl --from deepeval -o x.jsonl
more publish last --to excel
more publish absent.jsonl --to mlflow
more fetch questions --from excel
more prompts prompts --json
more prompts prompts-ja --language ja --json
more prompts prompts-pt --language Portuguese
demo absent --out x
"""
"""A command line a line, without `rag-eval`."""
