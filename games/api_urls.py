"""URLs of the API. Each URL works with or without a final slash, and never redirects."""

from collections.abc import Iterator
from typing import Any

from django.urls import URLPattern, include, path, re_path

from games.absence import api as absence
from games.analysis import api as analysis
from games.branches import api as branches
from games.chat import api as chat
from games.clocks import api as clocks
from games.clubs import api as clubs
from games.competitions import api as competitions
from games.daily import api as daily
from games.dock import api as dock
from games.films import api as films
from games.fleet import api as fleet
from games.groups import api as groups
from games.lobby import api as lobby
from games.moderation import api as moderation
from games.people import api as people
from games.play import api as play
from games.puzzles import api as puzzles
from games.shipyard import api as shipyard
from games.standings import api as standings
from games.votes import api as votes
from games.web.answers import no_such_path
from games.web.api import Call, resource
from games.web.reference import DocumentCall, Reference, ReferencePart

app_name = "api"


def _either(route: str, name: str, *calls: Call, view: type[Any] | None = None) -> Iterator[URLPattern]:
    view = view or resource(*calls)
    yield path(route, view.as_view(), name=name)
    yield path(f"{route}/", view.as_view())


version_1 = [
    *_either("tokens", "tokens", people.create_token),
    *_either("me", "me", people.get_me, people.update_me),
    *_either("me/tokens", "my-tokens", people.list_tokens),
    *_either("me/tokens/<int:token_id>", "token", people.revoke_token),
    *_either("me/waiting", "waiting", people.list_waiting_games),
    *_either("me/standing", "my-standing", absence.get_standing_orders, absence.set_standing_orders),
    *_either("me/time", "my-time", clocks.get_my_time, clocks.update_my_time),
    *_either("me/sitters", "sitters", absence.list_sitters, absence.create_sitter),
    *_either("me/sitters/<int:sitting_id>", "sitter", absence.delete_sitter),
    *_either("me/sitters/<int:sitting_id>/accept", "accept-sitter", absence.accept_sitter),
    *_either("me/vacations", "vacations", clocks.list_vacations, clocks.create_vacation),
    *_either("me/vacations/<int:vacation_id>", "vacation", clocks.delete_vacation),
    *_either("me/invitations", "my-invitations", people.list_invitations),
    *_either("me/achievements/seen", "seen", people.mark_achievements_seen),
    *_either("achievements", "achievements", people.list_achievements),
    *_either("players/<str:robo_name>", "player", people.get_player),
    *_either("players/<str:robo_name>/ratings", "player-ratings", standings.get_ratings),
    *_either("players/<str:robo_name>/follow", "follow", people.follow_player, people.unfollow_player),
    *_either("players/<str:robo_name>/block", "block", people.block_player, people.unblock_player),
    *_either(
        "players/<str:robo_name>/household",
        "household",
        people.add_player_housemate,
        people.remove_player_housemate,
    ),
    *_either("players/<str:robo_name>/note", "player-note", people.write_player_note),
    *_either("me/people", "my-people", people.list_contacts),
    *_either(
        "me/ticket", "ticket", competitions.get_ticket, competitions.set_ticket, competitions.delete_ticket
    ),
    *_either("players/<str:robo_name>/awards", "player-awards", standings.get_player_awards),
    *_either("awards", "awards", standings.list_awards),
    *_either("awards/<slug:key>", "award", standings.get_award),
    *_either("tournaments", "tournaments", competitions.list_tournaments, competitions.create_tournament),
    *_either(
        "tournaments/<int:tournament_id>",
        "tournament",
        competitions.get_tournament,
        competitions.delete_tournament,
    ),
    *_either(
        "tournaments/<int:tournament_id>/channels",
        "tournament-channels",
        groups.list_tournament_channels,
        groups.create_tournament_channel,
    ),
    *_either("channels/<int:channel_id>", "channel", groups.update_channel, groups.delete_channel),
    *_either("channels/<int:channel_id>/test", "channel-test", groups.try_channel),
    *_either("tournaments/<int:tournament_id>/open", "open-tournament", competitions.open_tournament),
    *_either(
        "tournaments/<int:tournament_id>/entry",
        "entry",
        competitions.join_tournament,
        competitions.leave_tournament,
    ),
    *_either("tournaments/<int:tournament_id>/confirm", "confirm-entry", competitions.confirm_entry),
    *_either("tournaments/<int:tournament_id>/rounds/<int:number>", "round", competitions.get_round),
    *_either("ladders", "ladders", competitions.list_ladders),
    *_either("ladders/<slug:slug>", "ladder", competitions.get_ladder),
    *_either("ladders/<slug:slug>/place", "my-rung", competitions.set_my_rung, competitions.delete_my_rung),
    *_either("ladders/<slug:slug>/challenges", "challenges", competitions.create_challenge),
    *_either("seasons", "seasons", competitions.list_seasons),
    *_either("seasons/<int:season_id>", "season", competitions.get_season),
    *_either(
        "seasons/<int:season_id>/entry", "season-entry", competitions.join_season, competitions.leave_season
    ),
    *_either("clubs", "clubs", clubs.list_clubs, clubs.create_club),
    *_either("clubs/<slug:slug>", "club", clubs.get_club, clubs.update_club, clubs.delete_club),
    *_either(
        "clubs/<slug:slug>/channels", "club-channels", groups.list_club_channels, groups.create_club_channel
    ),
    *_either("clubs/<slug:slug>/table", "club-table", clubs.get_club_table),
    *_either("clubs/<slug:slug>/membership", "membership", clubs.join_club, clubs.leave_club),
    *_either(
        "clubs/<slug:slug>/members/<str:robo_name>",
        "club-member",
        clubs.set_club_member,
        clubs.remove_club_member,
    ),
    *_either("ratings", "ratings", standings.list_best_players),
    *_either("games/<int:game_id>/ratings", "game-ratings", standings.get_game_ratings),
    *_either("daily", "daily-run-today", daily.get_daily_run_today),
    *_either("daily/<slug:day>", "daily-run", daily.get_daily_run),
    *_either("daily/<slug:day>/turns/<int:number>", "daily-turn", daily.submit_daily_program),
    *_either("puzzles/next", "puzzle-next", puzzles.get_next_puzzle),
    *_either("puzzles/rating", "puzzle-rating", puzzles.get_puzzle_rating),
    *_either("puzzles/<int:puzzle_id>", "puzzle", puzzles.get_puzzle),
    *_either("puzzles/<int:puzzle_id>/tries", "puzzle-tries", puzzles.submit_puzzle_program),
    *_either("rulesets", "rulesets", fleet.list_rulesets),
    *_either("starships", "starships", fleet.list_starships),
    *_either("starships/<int:starship_id>", "starship", fleet.get_starship),
    *_either("starships/<int:starship_id>/reviews", "reviews", dock.list_reviews),
    *_either("starships/<int:starship_id>/review", "review", dock.set_my_review, dock.delete_my_review),
    *_either("starships/<int:starship_id>/reviews/<int:review_id>/answer", "answer-review", dock.send_answer),
    *_either("starships/weeks", "weeks", fleet.list_ships_of_the_week),
    *_either("starships/lists", "starship-lists", fleet.list_starship_lists, fleet.create_starship_list),
    *_either(
        "starships/lists/<int:list_id>",
        "starship-list",
        fleet.get_starship_list,
        fleet.update_starship_list,
        fleet.delete_starship_list,
    ),
    *_either("starships/lists/shared/<str:list_link>", "shared-list", fleet.get_shared_starship_list),
    *_either("starships/lists/<int:list_id>/link", "list-link", fleet.create_list_link),
    *_either(
        "starships/lists/<int:list_id>/ships/<int:starship_id>",
        "list-ship",
        fleet.add_to_starship_list,
        fleet.remove_from_starship_list,
    ),
    *_either("me/lists", "my-lists", fleet.list_my_starship_lists),
    *_either("me/favourites", "favourites", fleet.list_favourites),
    *_either(
        "starships/<int:starship_id>/favourite", "favourite", fleet.add_favourite, fleet.remove_favourite
    ),
    *_either("starships/<int:starship_id>/reports", "reports", moderation.send_report),
    *_either("players/<str:robo_name>/reports", "player-reports", moderation.send_player_report),
    *_either("me/conduct", "my-conduct", moderation.get_conduct),
    *_either("me/conduct/<int:sanction_id>/appeal", "appeal", moderation.send_appeal),
    *_either("seats", "offers", play.list_open_seats),
    *_either("games", "games", play.list_games, play.create_game),
    *_either("games/quick", "quick", lobby.create_quick_game),
    *_either("games/load", "load", lobby.create_game_from_document),
    *_either("games/<int:game_id>", "game", play.get_game, lobby.update_game),
    *_either("games/<int:game_id>/turns/<int:number>/game", "game-from-turn", lobby.create_game_from_turn),
    *_either("games/<int:game_id>/ready", "ready", lobby.set_ready),
    *_either("games/<int:game_id>/start", "start", lobby.start_game),
    *_either("games/<int:game_id>/computers", "computers", lobby.add_computer),
    *_either(
        "games/<int:game_id>/seats/<int:number>", "one-seat", lobby.update_computer, lobby.remove_player
    ),
    *_either("games/<int:game_id>/seats/<int:number>/take", "take", absence.take_over_seat),
    *_either("games/<int:game_id>/invitations", "invitations", lobby.invite_player),
    *_either("games/<int:game_id>/invitations/<int:number>", "invitation", lobby.withdraw_invitation),
    *_either("games/<int:game_id>/link", "link", lobby.renew_link),
    *_either("games/<int:game_id>/decline", "decline", lobby.decline_invitation),
    *_either("games/<int:game_id>/rematch", "rematch", lobby.create_rematch),
    *_either("games/<int:game_id>/file", "file", films.get_game_file),
    *_either(
        "games/<int:game_id>/analysis",
        "analysis",
        analysis.get_analysis,
        analysis.start_analysis,
        analysis.cancel_analysis,
    ),
    *_either("games/<int:game_id>/statistics", "statistics", people.get_statistics),
    *_either("games/<int:game_id>/robots/<int:number>", "robot", people.get_robot),
    *_either("games/<int:game_id>/join", "join", play.join_game),
    *_either("games/<int:game_id>/leave", "leave", play.leave_game),
    *_either("games/<int:game_id>/resign", "resign", absence.resign_game),
    *_either("games/<int:game_id>/seat", "seat", play.update_my_seat, absence.delete_my_seat),
    *_either(
        "games/<int:game_id>/channels", "game-channels", groups.list_game_channels, groups.create_game_channel
    ),
    *_either("games/<int:game_id>/votes", "votes", votes.list_votes, votes.create_vote),
    *_either("games/<int:game_id>/votes/<int:vote_id>", "vote", votes.cast_vote),
    *_either("games/<int:game_id>/news", "news", play.set_game_mail),
    *_either("games/<int:game_id>/standing", "standing", absence.set_game_standing_orders),
    *_either("games/<int:game_id>/chat", "chat", chat.get_chat, chat.send_message),
    *_either("games/<int:game_id>/chat/read", "read-chat", chat.mark_chat_read),
    *_either("games/<int:game_id>/events", "events", play.stream_events),
    *_either("games/<int:game_id>/log", "log", films.get_log),
    *_either("games/<int:game_id>/turns/<int:number>", "turn", films.get_turn),
    *_either("games/<int:game_id>/branches", "branches", branches.list_branches, branches.create_branch),
    *_either(
        "games/<int:game_id>/branches/<str:branch_token>",
        "branch",
        branches.get_branch,
        branches.update_branch,
        branches.delete_branch,
    ),
    *_either("games/<int:game_id>/moments", "moments", films.get_moments),
    *_either("games/<int:game_id>/turns/<int:number>/orders", "orders", play.submit_orders),
    *_either("games/<int:game_id>/turns/<int:number>/draft", "draft", play.save_draft, play.delete_draft),
    *_either("games/<int:game_id>/turns/<int:number>/preview", "preview", play.preview_orders),
    *_either("games/<int:game_id>/turns/<int:number>/redeal", "redeal", play.redeal_hand),
    *_either("games/<int:game_id>/turns/<int:number>/wake", "wake", play.wake_robot),
    *_either("games/<int:game_id>/screen", "screen", play.set_screen),
    *_either("games/<int:game_id>/turns/<int:number>/reminder", "reminder", play.request_reminder),
    *_either("shipyard/drafts", "drafts", shipyard.list_starship_drafts, shipyard.create_starship_draft),
    *_either(
        "shipyard/drafts/<int:draft_id>",
        "starship-draft",
        shipyard.get_starship_draft,
        shipyard.save_starship_draft,
        shipyard.delete_starship_draft,
    ),
    *_either("shipyard/drafts/<int:draft_id>/revisions", "revisions", shipyard.list_draft_revisions),
    *_either(
        "shipyard/drafts/<int:draft_id>/revisions/<int:number>", "revision", shipyard.get_draft_revision
    ),
    *_either(
        "shipyard/drafts/<int:draft_id>/revisions/<int:number>/restore",
        "restore-revision",
        shipyard.restore_draft_revision,
    ),
    *_either("shipyard/drafts/<int:draft_id>/document", "draft-document", shipyard.get_draft_document),
    *_either(
        "shipyard/drafts/<int:draft_id>/link",
        "draft-link",
        shipyard.create_draft_link,
        shipyard.delete_draft_link,
    ),
    *_either("shipyard/shared/<str:link>", "shared-starship", shipyard.get_shared_starship),
    *_either(
        "shipyard/shared/<str:link>/reports", "reports-of-shared", moderation.send_report_of_shared_starship
    ),
    *_either("shipyard/drafts/<int:draft_id>/fly", "fly-draft", shipyard.fly_starship_draft),
    *_either(
        "shipyard/drafts/<int:draft_id>/tunnel",
        "tunnel-runs",
        shipyard.list_tunnel_runs,
        shipyard.start_tunnel_run,
    ),
    *_either(
        "shipyard/tunnel/<int:run_id>", "tunnel-run", shipyard.get_tunnel_run, shipyard.cancel_tunnel_run
    ),
    *_either("shipyard/suggestions", "suggestions", shipyard.list_suggestions, shipyard.create_suggestion),
    *_either(
        "shipyard/suggestions/<int:suggestion_id>",
        "suggestion",
        shipyard.get_suggestion,
        shipyard.cancel_suggestion,
    ),
    *_either(
        "shipyard/suggestions/<int:suggestion_id>/draft",
        "draft-of-suggestion",
        shipyard.create_draft_of_suggestion,
    ),
    *_either("shipyard/prototypes", "prototypes", dock.list_prototypes, dock.create_prototype),
    *_either("shipyard/prototypes/<int:starship_id>", "prototype", dock.get_prototype, dock.delete_prototype),
    *_either("shipyard/outlook", "ship-outlook", shipyard.preview_starship),
    *_either("shipyard/check", "check-starship", shipyard.check_starship),
    *_either(
        "dock/prototypes/<int:starship_id>/promotion",
        "prototype-promotion",
        dock.get_readiness,
        dock.submit_for_promotion,
        dock.withdraw_from_promotion,
    ),
    *_either("dock/promotions", "promotions", dock.list_promotions),
    *_either("dock/promotions/<int:promotion_id>", "promotion", dock.get_promotion),
    *_either("dock/promotions/<int:promotion_id>/vote", "vote-about", dock.cast_promotion_vote),
    *_either("dock/decisions", "decisions", dock.list_decisions),
    *_either("schema", "schema", view=DocumentCall),
    *_either("docs", "reference", view=Reference),
    *_either("docs/<slug:part>", "part", view=ReferencePart),
]

urlpatterns = [path("v1/", include(version_1)), re_path("", no_such_path)]
