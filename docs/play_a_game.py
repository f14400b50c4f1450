"""Play a training mission: python play_a_game.py ADDRESS LOGIN PASSWORD [MISSION]."""

import json
import random
import re
import sys
import time
from urllib.error import HTTPError
from urllib.request import Request, urlopen

address, login, password, *mission = sys.argv[1:]
headers = {"Content-Type": "application/json"}


def call(path, document=None):
    body = None if document is None else json.dumps(document).encode()
    try:
        return json.load(urlopen(Request(f"{address}/api/v1/{path}", body, headers)))  # noqa: S310
    except HTTPError as refusal:  # such as too many previews: the header says how long to wait
        if not (wait := refusal.headers["Retry-After"]):
            raise
        return time.sleep(int(wait)) or call(path, document)


def program():  # random chips of the hand; locked registers keep theirs
    chips = random.sample([chip["number"] for chip in game["me"]["hand"]], k=len(game["me"]["hand"]))
    return [None if str(n) in game["robots"][0]["locked"] else chips.pop() for n in range(1, 6)]


def worth(orders):  # by preview: lives, then checkpoints, then the distance to the next one
    robot = call(f"games/{game['id']}/turns/{game['turn']}/preview", orders)["robot"]
    (x, y), (to_x, to_y) = robot["at"] or (0, 0), points.get(str(robot["next"]), (0, 0))
    return robot["lives"], robot["next"], -abs(x - to_x) - abs(y - to_y)


headers["Authorization"] = "Bearer " + call("tokens", {"login": login, "password": password})["token"]
ships = {ship["name"]: ship["id"] for ship in call("starships?section=missions")["results"]}
game = call("games", {"name": "A script", "seats": 1, "starship": ships[(mission or list(ships))[0]]})
board = {(x, y): cell for y, row in enumerate(game["starship"]["rows"]) for x, cell in enumerate(row.split())}
points = {number: at for at, cell in board.items() for number in re.findall(r"\+i(\d+)", cell)}
while game["status"] != "over":
    if game["waiting_for"]:
        choices = [{"registers": program()} if game["turn"] else {"heading": way} for way in "NESW" * 8]
        call(f"games/{game['id']}/turns/{game['turn']}/orders", max(choices, key=worth))
    game = time.sleep(0.2) or call(f"games/{game['id']}")
print(call(f"games/{game['id']}/log")["events"][-1])
