"""A turn as a film: its frames, and the positions of robots after each frame."""

import copy
import json
import re
from pathlib import Path
from typing import Any

import rules
from games.films.film import Film, Frame
from games.films.scenery import Scenery
from games.films.selectors import Replay
from rules import events as ev
from rules.events import read_log
from rules.grid import E
from rules.scenario import Scenario, read_scenario

CASES = sorted((Path(__file__).parents[3] / "rules" / "cases").rglob("*.json"))


def robot(name: str, at: tuple[int, int], heading: str, *chips: str, **more: Any) -> dict[str, Any]:
    """Return a robot of a situation, in the format of scenarios."""
    return {"name": name, "at": list(at), "heading": heading, "chips": list(chips), **more}


def situation(
    rows: list[str], *robots: dict[str, Any], phases: int = 1, ruleset: str = "robo-runner"
) -> Scenario:
    """Return a scenario with one turn, or with the first phases of one."""
    return read_scenario(
        {
            "format": "scenario/1",
            "title": "a situation",
            "ruleset": ruleset,
            "starship": {"format": "starship/1", "rows": rows},
            "robots": list(robots),
            "phases": phases,
        }
    )


def replay(scenario: Scenario) -> Replay:
    """Play a scenario, and return the replay for a film."""
    turn = scenario.run()
    terms = rules.Vocabulary(turn.ship, [robot.name for robot in turn.robots])
    events = read_log(turn.log)
    documents = tuple(rules.events_to_json(terms, events))
    looks = {index: index + 1 for index in range(len(turn.robots))}
    return Replay(
        1, turn.ship, rules.view(scenario.state), rules.view(turn.state), events, documents, (), looks
    )


def film(rows: list[str], *robots: dict[str, Any], phases: int = 1, ruleset: str = "robo-runner") -> Film:
    return Film(replay(situation(rows, *robots, phases=phases, ruleset=ruleset)))


def moving(shown: Film) -> list[Frame]:
    """Return the frames that move robots."""
    return [frame for frame in shown.frames if frame.poses]


def at(frame: Frame) -> dict[str, Any]:
    """Return the positions of all robots that move in a frame, by name."""
    return {name: pose["at"] for name, pose in frame.poses.items()}


def test_a_move_of_three_is_three_frames() -> None:
    frames = moving(film([". . . . ."], robot("A", (0, 0), "E", "3")))
    assert [at(frame) for frame in frames] == [{"A": [1, 0]}, {"A": [2, 0]}, {"A": [3, 0]}]


def test_the_pushing_and_the_pushed_robot_move_together() -> None:
    frames = moving(
        film([". . . . . ."], robot("A", (0, 0), "E", "2"), robot("B", (1, 0), "N"), robot("C", (2, 0), "N"))
    )
    assert [at(frame) for frame in frames[:2]] == [
        {"A": [1, 0], "B": [2, 0], "C": [3, 0]},
        {"A": [2, 0], "B": [3, 0], "C": [4, 0]},
    ]


def test_a_chain_of_pushes_is_numbered_in_its_order_at_the_cells_and_in_captions() -> None:
    rows = [". . . . . ."]
    for ranks in ((1, 2, 3), (3, 2, 1), (2, 3, 1)):
        frames = moving(
            film(
                rows,
                robot("A", (0, 0), "E", "2", rank=ranks[0]),
                robot("C", (2, 0), "N", rank=ranks[1]),
                robot("B", (1, 0), "N", rank=ranks[2]),
            )
        )
        assert [frame.labels for frame in frames[:2]] == [
            [
                {"kind": "push", "text": "1", "at": [step, 0], "heading": 1},
                {"kind": "push", "text": "2", "at": [step + 1, 0], "heading": 1},
            ]
            for step in (1, 2)
        ]
        assert frames[0].sentences == [
            "A moves to column 2, row 1.",
            "① A pushes B to column 3, row 1.",
            "② A pushes C to column 4, row 1.",
        ]


def test_one_push_has_its_number_only_on_the_board() -> None:
    (frame,) = moving(film([". . . ."], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "N")))[:1]
    assert [(label["kind"], label["text"]) for label in frame.labels] == [("push", "1")]
    assert "A pushes B to column 3, row 1." in frame.sentences


def test_captions_of_a_chain_say_you_and_keep_their_numbers() -> None:
    turn = film([". . . . ."], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "N"), robot("C", (2, 0), "N"))
    assert moving(turn.shown_to(mine=2))[0].yours == ["② A pushes you to column 4, row 1."]
    assert moving(turn.shown_to(mine=0))[0].sentences[1:] == [
        "① You push B to column 3, row 1.",
        "② You push C to column 4, row 1.",
    ]


def test_an_arm_pushes_a_chain_too_but_drives_no_robot() -> None:
    robots = robot("A", (0, 0), "N", "L"), robot("B", (1, 0), "N", "L"), robot("C", (2, 0), "N", "L")
    shown = film([".+wW+pW . . ."], *robots, ruleset="factory-1999")
    (frame,) = [frame for frame in shown.frames if frame.arms]
    assert [(label["text"], label["at"]) for label in frame.labels] == [("1", [1, 0]), ("2", [2, 0])]
    assert not frame.driving


def test_the_robot_that_moves_by_its_own_chip_is_named() -> None:
    pushing = film([". . . ."], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "N"))
    assert (moving(pushing)[0].driving, sorted(moving(pushing)[0].poses)) == ("A", ["A", "B"])
    pulled = film(["b1:E . ."], robot("A", (0, 0), "E", "L"))
    assert [frame.driving for frame in moving(pulled)] == ["A", ""]


def faces(shown: Film) -> list[tuple[int, dict[str, str]]]:
    """Return the faces of all robots after each frame, with the phase of the frame."""
    now: dict[str, str] = {}
    found = []
    for frame in shown.frames:
        now |= frame.faces
        found.append((frame.phase, {name: face for name, face in now.items() if face}))
    return found


def test_robots_make_faces_at_what_happens_to_them() -> None:
    fell = faces(film([". . . . o"], robot("A", (1, 0), "N"), robot("B", (0, 0), "E", "3")))
    assert [face for _, face in fell if face] == [{"A": "pushed"}] * 3 + [{"A": "lost"}] * (len(fell) - 4)
    won = [face.get("A") for _, face in faces(film([". .+i1 ."], robot("A", (0, 0), "E", "1")))]
    assert list(dict.fromkeys(won)) == [None, "glad", "win"]


def test_a_face_lasts_until_the_next_phase_has_begun() -> None:
    robots = robot("A", (0, 0), "W", "U", "L"), robot("B", (3, 0), "W", "L", "L")
    seen = faces(film([". . . ."], *robots, phases=2))
    first, second = ([now for phase, now in seen if phase == number] for number in (1, 2))
    assert (first[0], first[-1]) == ({}, {"B": "hit"})
    assert second[:2] == [{"B": "hit"}, {}]


def test_a_squad_that_wins_is_cheered_as_a_whole() -> None:
    played = replay(
        situation(
            [". . . ."],
            robot("A", (0, 0), "N", squad="red"),
            robot("B", (1, 0), "N", squad="blue"),
            robot("C", (2, 0), "N", squad="red"),
        )
    )
    over = ev.Over(5, "last squad", "red", "last standing")
    documents = tuple(rules.events_to_json(rules.Vocabulary(played.ship, ["A", "B", "C"]), [over]))
    ended = Replay(1, played.ship, played.start, played.start, (over,), documents, (), played.looks)
    (frame,) = Film(ended).frames
    assert frame.faces == {"A": "win", "C": "win"}
    assert frame.marks == [{"kind": "win", "at": [0, 0]}, {"kind": "win", "at": [2, 0]}]
    assert [(label["text"], label["at"]) for label in frame.labels] == [("wins", [0, 0]), ("wins", [2, 0])]


def test_a_push_at_the_second_step_waits_for_the_first_step() -> None:
    for ranks in ((1, 2, 3), (2, 1, 3), (2, 3, 1), (3, 2, 1)):
        robots = (
            robot(name, at, heading, *chips, rank=rank)
            for (name, at, heading, *chips), rank in zip(
                (("A", (0, 0), "E", "2"), ("B", (2, 0), "N"), ("C", (3, 0), "N")), ranks, strict=True
            )
        )
        assert [at(frame) for frame in moving(film([". . . . . ."], *robots))[:2]] == [
            {"A": [1, 0]},
            {"A": [2, 0], "B": [3, 0], "C": [4, 0]},
        ]


def test_robots_execute_their_chips_one_after_another() -> None:
    frames = moving(film([". . .", ". . ."], robot("A", (0, 0), "E", "1"), robot("B", (0, 1), "E", "1")))
    assert [at(frame) for frame in frames] == [{"A": [1, 0]}, {"B": [1, 1]}]


def test_beams_pull_and_turn_all_robots_at_once() -> None:
    rows = ["b1:E b1:WS .", "b1:E b1:S . "]
    frames = moving(film(rows, robot("A", (0, 0), "N"), robot("B", (0, 1), "N", virtual=True)))
    assert [at(frame) for frame in frames] == [{"A": [1, 0], "B": [1, 1]}]
    assert frames[0].poses["A"]["heading"] == 1


def test_shots_are_one_frame_and_their_effects_the_next() -> None:
    shown = film([". . . ."], robot("A", (0, 0), "E"), robot("B", (3, 0), "W"))
    shooting = next(frame for frame in shown.frames if frame.shots)
    assert [(shot["robot"], shot["from"], shot["to"], shot["hit"]) for shot in shooting.shots] == [
        ("A", [0, 0], [3, 0], True),
        ("B", [3, 0], [0, 0], True),
    ]
    hurt = shown.frames[shooting.index + 1]
    assert {name: pose["damage"] for name, pose in hurt.poses.items()} == {"A": 1, "B": 1}


def test_a_falling_robot_arrives_first() -> None:
    frames = moving(film([". o"], robot("A", (0, 0), "E", "1")))
    assert [at(frame) for frame in frames] == [{"A": [1, 0]}, {"A": None}]


def test_a_blocked_robot_bumps() -> None:
    frame = next(frame for frame in film([".+wE ."], robot("A", (0, 0), "E", "1")).frames if frame.bumps)
    assert frame.bumps == [{"robot": "A", "heading": 1}]
    assert frame.sentences == ["A is stopped by a rail."]


def test_bay_doors_close_with_their_phase_and_open_after_it() -> None:
    shown = film([". d2 . d13"], robot("A", (0, 0), "N", "L", "L", "L"), phases=3)
    doors = [(frame.phase, frame.doors) for frame in shown.frames if frame.doors is not None]
    assert doors == [(1, [[3, 0]]), (1, []), (2, [[1, 0]]), (2, []), (3, [[3, 0]]), (3, [])]


def test_bay_doors_open_before_a_robot_on_them_is_lost() -> None:
    shown = film([". d1"], robot("A", (0, 0), "E", "1"))
    opened = next(frame for frame in shown.frames if frame.doors == [])
    assert at(shown.frames[opened.index + 1]) == {"A": None}


def scenes(rows: list[str], *robots: dict[str, Any], racer: str | None = None) -> tuple[Film, Scenery]:
    """Play the first phase of a situation. Return its film and its scenery."""
    played = replay(situation(rows, *robots))
    scenery = Scenery(played, racer)
    return Film(played).shown_to(scenery), scenery


def test_welding_updates_the_picture_of_the_checkpoint() -> None:
    shown, scenery = scenes([". . .+i1*3"], robot("A", (0, 0), "E"))
    (drawn,) = [frame.checkpoints[1] for frame in shown.frames if frame.checkpoints]
    assert 'data-left="2"' in drawn
    board = scenery.board(shown.entering)
    assert 'data-left="3"' in board
    for name in re.findall(r'href="#([^"]+)"', drawn):  # the board comes with the symbols for drawing it
        assert f'id="{name}"' in board


def test_an_inspection_highlights_the_robot_s_next_checkpoint() -> None:
    rows, racer = [". .+i1 .+i2"], robot("A", (0, 0), "E", "1")
    shown, _ = scenes(rows, racer, racer="A")
    (changed,) = [frame for frame in shown.frames if frame.checkpoints]
    assert 'class="checkpoint done"' in changed.checkpoints[1]
    assert 'class="checkpoint next"' in changed.checkpoints[2]
    assert changed.marks == [{"kind": "inspect", "at": [1, 0]}]
    assert not any(frame.checkpoints for frame in scenes(rows, racer)[0].frames)


def test_a_used_transporter_shows_its_destination() -> None:
    shown, _ = scenes(["t:red . . t:red"], robot("A", (1, 0), "W", "1"))
    (links,) = [frame.links for frame in shown.frames if frame.links is not None]
    assert links.startswith('<g class="links"><path')


def test_arms_and_crushers_are_animated() -> None:
    shown = film([".+wW+pW .+x1"], robot("A", (0, 0), "N", "L"), ruleset="factory-1999")
    assert [frame.arms for frame in shown.frames if frame.arms] == [[[0, 0, "W"]]]
    (crushed,) = [frame for frame in shown.frames if frame.crushers]
    assert crushed.crushers == [[1, 0]]
    assert crushed.marks == [{"kind": "destroyed", "at": [1, 0], "by": "crusher"}]


def test_each_frame_has_its_sound_and_its_actor() -> None:
    shown = film([". . . ."], robot("A", (0, 0), "E", "1"), robot("B", (1, 0), "W"))
    told = [(frame.cues, frame.acting) for frame in shown.frames]
    assert (["phase"], []) in told
    assert (["step", "push"], ["A", "B"]) in told
    assert (["hit"], ["B", "A"]) in told or (["hit"], ["A", "B"]) in told


def test_robots_sharing_a_cell_stand_side_by_side() -> None:
    shown = film([". ."], robot("A", (0, 0), "E", virtual=True), robot("B", (0, 0), "E", "1", virtual=True))
    assert {len(pose["stance"]) for pose in shown.start.values()} == {4}
    (moved,) = moving(shown)
    assert set(moved.poses) == {"A", "B"}  # A is alone in its cell now
    assert not any("stance" in pose for pose in moved.poses.values())


def test_a_player_s_own_robot_lies_on_top_in_its_film() -> None:
    played = replay(
        situation(
            ["a . .", ". . ."],
            robot("A", (0, 0), "E", "1", virtual=True),
            robot("B", (0, 0), "S", "1", virtual=True),
            robot("C", (2, 1), "N", "L"),
        )
    )
    shown = Film(played)
    own, others = shown.shown_to(mine=0), shown.shown_to(mine=1)
    assert "stance" not in own.start["A"], "it has its full size"
    assert own.start["B"]["stance"] != shown.start["B"]["stance"]
    assert "stance" in others.start["A"]
    assert shown.shown_to(mine=2).start == shown.start, "it never shares a cell"
    for film in (shown, own, others):
        poses = dict(film.start)
        for frame in film.frames:
            poses |= frame.poses
        assert not any("stance" in pose for pose in poses.values()), "all robots have left the cell"


def test_parts_are_phases_with_their_chips_in_move_order() -> None:
    shown = film(
        [". . .", ". . ."],
        robot("A", (0, 0), "E", "1", rank=2),
        robot("B", (0, 1), "E", "L", rank=1),
        phases=5,
    )
    assert [part.title for part in shown.parts] == [
        *(f"Phase {phase}" for phase in range(1, 6)),
        "End of the turn",
    ]
    assert [(chip.letter, chip.kind, chip.number) for chip in shown.parts[0].chips] == [
        ("B", "L", ""),
        ("A", "1", ""),
    ]


def test_chips_have_numbers_where_these_decide_the_move_order() -> None:
    robots = robot("A", (0, 0), "E", "1@90"), robot("B", (0, 1), "E", "L@500")
    shown = film([". . .", ". . ."], *robots, ruleset="factory-1999")
    assert [(chip.letter, chip.number) for chip in shown.parts[0].chips] == [("B", 500), ("A", 90)]


def test_scanners_have_numbers_instead_of_letters() -> None:
    shown = film(["h1 . ."], robot("A", (1, 0), "E", "1"), robot("S", (0, 0), "N", "L", scanner=True))
    assert {(chip.robot, chip.letter, chip.colour) for chip in shown.parts[0].chips} == {
        ("A", "A", 1),
        ("S", "1", 0),
    }


def test_every_film_ends_with_the_state_of_the_turn() -> None:
    documents = {path.stem: json.loads(path.read_text()) for path in CASES}
    assert documents
    for name, document in documents.items():
        for case in document if isinstance(document, list) else [document]:
            played = replay(read_scenario(case))
            shown = Film(played)
            poses = dict(shown.start)
            for number, frame in enumerate(shown.frames):
                assert frame.index == number, name
                poses |= frame.poses
            end = Replay(1, played.ship, played.end, played.end, (), (), (), {})
            assert poses == Film(end).start, name
            assert json.loads(json.dumps(shown.document))["frames"] is not None, name
            told = [sentence for frame in shown.frames for sentence in frame.sentences]
            assert len(told) <= len(played.events), name


def test_objects_that_enter_the_board_are_drawn_for_the_film() -> None:
    scenario = situation(["a . ."], robot("A", (0, 0), "E", "L"))
    played = replay(scenario)
    away = copy.deepcopy(played.start)
    away.robots[0].cell = rules.OFF
    away.robots[0].alive = False
    came = ev.Enter(0, "come back", 0, played.start.robots[0].cell, E, False)
    documents = tuple(rules.events_to_json(rules.Vocabulary(played.ship, ["A"]), [came]))
    coming = Replay(1, played.ship, away, played.start, (came,), documents, (), played.looks)
    scenery = Scenery(coming)
    shown = Film(coming).shown_to(scenery)
    assert shown.entering == {"A"}
    assert 'data-robot="A"' in scenery.board(shown.entering)


def test_captions_say_you_to_the_player_of_a_robot() -> None:
    rows = [". . . . o"]
    turn = film(rows, robot("A", (1, 0), "N"), robot("B", (0, 0), "E", "3"), phases=5)
    mine = turn.shown_to(mine=0)
    said = [(frame.yours, frame.hit) for frame in mine.frames if frame.yours]
    assert said[:4] == [
        (["B pushes you to column 3, row 1."], True),
        (["B pushes you to column 4, row 1."], True),
        (["B pushes you to column 5, row 1."], True),
        (["You fall into a cooling shaft, pushed by B."], True),
    ]
    sentences = [sentence for frame in mine.frames for sentence in frame.sentences]
    assert "B pushes you to column 3, row 1." in sentences
    assert "B moves to column 2, row 1." in sentences
    assert not any(frame.yours or frame.hit for frame in turn.frames)
    assert "B pushes A to column 3, row 1." in [text for frame in turn.frames for text in frame.sentences]


def test_labels_tell_damage_checkpoints_and_destruction_at_the_cell() -> None:
    labels = [
        (label["kind"], label["text"], label["at"])
        for rows, *robots in (
            ([". . . ."], robot("A", (0, 0), "E"), robot("B", (3, 0), "N")),
            ([". . .+i1 . .+i2"], robot("A", (0, 0), "E", "2")),
            ([". o ."], robot("A", (0, 0), "E", "1")),
            ([". ."], robot("A", (0, 0), "W", "1")),
            ([". .+i1 ."], robot("A", (0, 0), "E", "1"), robot("B", (2, 0), "N")),
        )
        for frame in film(rows, *robots).frames
        for label in frame.labels
    ]
    assert ("damage", "−1", [3, 0]) in labels
    assert ("inspect", "✓ 1", [2, 0]) in labels
    assert ("destroyed", "down the shaft", [1, 0]) in labels
    assert ("destroyed", "lost in space", [0, 0]) in labels, "at the nearest cell of the board"
    assert ("win", "wins", [1, 0]) in labels


def test_damage_at_one_moment_is_one_label() -> None:
    robots = (robot("A", (0, 0), "E"), robot("B", (1, 0), "N"), robot("C", (2, 0), "W"))
    frames = film([". . ."], *robots).frames
    assert [label["text"] for frame in frames for label in frame.labels if label["at"] == [1, 0]] == ["−2"]
