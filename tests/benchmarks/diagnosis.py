"""How often `diagnose` names the cause of a wrong answer, of engines with planted faults.

    python -m tests.benchmarks.diagnosis              # 10 mixtures of 60 questions
    python -m tests.benchmarks.diagnosis --mixtures 2

In each mixture a third of the questions has a fault, of a kind drawn at random. It prints, by
planted fault, how many answers it lost and how many of these got its cause; then, of all causes
that were named, the share that was not planted. What the faults leave is read by a script, and by
the rules that read for `rag-eval run --docs`.
"""

import argparse
from collections import Counter
from random import Random

from llama_index.core import get_response_synthesizer

from llamaindex_rag_eval.diagnosis.diagnose import diagnose
from llamaindex_rag_eval.judge.rules.extractive import ExtractiveLLM
from llamaindex_rag_eval.models import EmbeddedOracle
from tests.diagnosis.planted import DEPTH, FAULTS, FlippingOracle, engine, questions

COUNT = 60


def mixture(seed: int, *, scripted: bool) -> tuple[Counter[str], Counter[str], int, int]:
    """Return of each fault what it lost and what got its cause; and all causes, and false ones."""
    draw = Random(seed)
    planted = {
        number: draw.choice(sorted(FAULTS)) for number in draw.sample(range(COUNT), COUNT // 3)
    }
    inner = None if scripted else get_response_synthesizer(llm=ExtractiveLLM())
    lost = diagnose(
        engine(planted, COUNT, inner=inner),
        questions(planted, COUNT),
        judge=FlippingOracle(planted),
        second=EmbeddedOracle(),
        depth=DEPTH,
        control=5,
    )
    losses: Counter[str] = Counter()
    named: Counter[str] = Counter()
    false = 0
    for entry in lost.lost:
        fault = planted.get(int(entry.sample.id[1:]), "none")
        losses[fault] += 1
        right = FAULTS.get(fault) == entry.causes[0]
        named[fault] += right
        false += not right
    return losses, named, len(lost.lost), false


def main() -> None:
    """Print the table of each reader."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mixtures", type=int, default=10)
    mixtures = parser.parse_args().mixtures
    for scripted in (True, False):
        losses: Counter[str] = Counter()
        named: Counter[str] = Counter()
        count = false = 0
        for seed in range(mixtures):
            some, right, wrong, untrue = mixture(seed, scripted=scripted)
            losses += some
            named += right
            count, false = count + wrong, false + untrue
        print(f"\n{'scripted reader' if scripted else 'reader by rules'}: {count} wrong answers")
        for fault in sorted(losses):
            cause = FAULTS.get(fault, "(nothing planted)")
            print(f"{fault:<16} {cause:<16} {named[fault]:>4} of {losses[fault]:>4}")
        planted = sum(n for fault, n in losses.items() if fault in FAULTS)
        print(f"causes named of planted losses: {sum(named.values()) / max(planted, 1):.1%}")
        print(f"false causes: {false / max(count, 1):.1%}")


if __name__ == "__main__":
    main()
