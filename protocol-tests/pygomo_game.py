"""Plays a whole freestyle game through pygomo-lib against an opponent of little sense.

Usage: pygomo_game.py ENGINE [ARGUMENT...]. Exits with 0 when the game came to its end by the rules.
"""

import random
import sys

from pygomo import EngineClient
from pygomo.protocol.models import Move

SIZE = 15


def has_five(stones):
    """Is there a row of five or more among these points?"""
    return any(
        all((x + i * dx, y + i * dy) in stones for i in range(5))
        for x, y in stones
        for dx, dy in ((1, 0), (0, 1), (1, 1), (1, -1))
    )


def play_game(engine, rng):
    """One game, the engine first; the points of both sides."""
    ours, theirs = set(), set()
    result = engine.begin(timeout=10)
    while True:
        assert result is not None, "the engine gave no move"
        move = result.move.to_tuple()
        assert all(0 <= c < SIZE for c in move), f"{move} is off the board"
        assert move not in ours | theirs, f"{move} is taken"
        ours.add(move)
        free = [
            (x, y)
            for x in range(SIZE)
            for y in range(SIZE)
            if (x, y) not in ours | theirs
        ]
        if has_five(ours) or not free:
            return ours, theirs
        reply = rng.choice(free)
        theirs.add(reply)
        if has_five(theirs) or len(free) == 1:
            return ours, theirs
        result = engine.turn(reply, timeout=10)


def main():
    rng = random.Random(1)
    with EngineClient(sys.argv[1], args=sys.argv[2:]) as engine:
        about = engine.about(timeout=5)
        assert about and about.startswith('name="'), about
        assert engine.start(SIZE), "START failed"
        engine.configure(timeout_turn=20, timeout_match=0, rule=0, max_memory=367001600)
        ours, theirs = play_game(engine, rng)
        print(f"{len(ours)} stones against {len(theirs)}, five: {has_five(ours)}")
        assert engine.restart(), "RESTART failed"
        assert engine.turn((7, 7), timeout=10) is not None, "no move after RESTART"
        assert engine.takeback(Move((7, 7))), "TAKEBACK failed"
        assert engine.nbest(3, timeout=10) is not None, "no move for YXNBEST"
        engine.quit()


main()
