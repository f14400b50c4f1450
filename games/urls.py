"""URLs of the pages."""

from django.urls import URLPattern, URLResolver, include, path

from games.absence import pages as absence
from games.analysis import pages as analysis
from games.branches import pages as branches
from games.chat import pages as chat
from games.clocks import pages as clocks
from games.clubs import pages as clubs
from games.competitions import pages as competitions
from games.daily import pages as daily
from games.dock import pages as dock
from games.films.pages import films
from games.fleet.pages import drawings, library, lists
from games.groups import pages as groups
from games.lobby.pages import creation, lobby as actions, playing_on, set_up
from games.moderation import pages as moderation
from games.news import feeds, pages as news
from games.people import pages as people
from games.play.pages import actions as play, streams
from games.puzzles import pages as puzzles
from games.sharing import pages as sharing
from games.shipyard.pages import drafts, suggestions, tunnel
from games.site import appearance, documents, oembed, pages as site, rulebooks, status
from games.standings import pages as standings
from games.votes import pages as votes

pages: list[URLPattern] = [
    path("", site.home, name="home"),
    path("rules/", site.rulebook, name="rules"),
    path("rules/quick-reference/", rulebooks.quick_reference, name="quick-reference"),
    path("rulebook/<slug:key>/", rulebooks.rulebook_page, name="rulebook"),
    path("accent.css", appearance.accent, name="accent"),
    path("pages/<slug:name>/", appearance.own_page, name="own_page"),
    path("status/", status.status, name="status"),
    path("docs/", documents.documents, name="documents"),
    path("docs/play_a_game.py", documents.example, name="example"),
    path("docs/<slug:slug>/", documents.one_document, name="document"),
    *(
        path(f"{name}/", site.page, {"name": name}, name=name)
        for name in ("help", "story", "about", "conduct", "privacy", "terms", "contact")
    ),
    path("mail/", news.mailbox, name="mail"),
    path("mail-events/", news.mail_events, name="mail_events"),
    path("worker.js", news.worker, name="worker"),
    path("mail/<str:key>/", news.mail, name="mail_one"),
    path("mail/<str:key>/contents/", news.contents, name="mail_contents"),
]

lobby: list[URLPattern] = [
    path("join/", actions.join, name="join"),
    path("seat/", actions.change_seat, name="seat"),
    path("ready/", actions.ready, name="ready"),
    path("start/", actions.start, name="start"),
    path("leave/", actions.leave, name="leave"),
    path("cancel/", actions.cancel, name="cancel"),
    path("settings/", actions.settings, name="settings"),
    path("computers/", actions.add_computer, name="add_computer"),
    path("computers/<int:number>/", actions.computer, name="computer"),
    path("seats/<int:number>/remove/", actions.remove, name="remove"),
    path("invite/", actions.invite, name="invite"),
    path("invitations/<int:invitation_id>/withdraw/", actions.withdraw, name="withdraw"),
    path("link/", actions.renew_link, name="renew_link"),
    path("decline/", actions.decline, name="decline"),
    path("rematch/", actions.rematch, name="rematch"),
]

games: list[URLPattern | URLResolver] = [
    path("games/", site.room, name="room"),
    path("seats/", creation.offers, name="offers"),
    path("my-room/", site.my_room, name="mine"),
    path("next/", creation.next_game, name="next"),
    path("games/new/", creation.create, name="create"),
    path("games/new/board/", creation.board, name="board"),
    path("games/quick/", creation.quick, name="quick"),
    path("games/load/", playing_on.load, name="load"),
    path("games/set-up/", set_up.set_up, name="set_up"),
    path("games/find/", competitions.find_game, name="find"),
    path("games/find/stop/", competitions.stop_waiting, name="stop_finding"),
    path("games/<int:game_id>/", play.game, name="game"),
    path("games/<int:game_id>/move/", play.move, name="move"),
    path("games/<int:game_id>/parts/", play.parts, name="parts"),
    path("games/<int:game_id>/rulebook/", rulebooks.of_game, name="rulebook"),
    path("games/<int:game_id>/", include(lobby)),
    path("games/<int:game_id>/seats/<int:number>/take/", absence.take_over, name="take"),
    path("games/<int:game_id>/resign/", absence.resign, name="resign"),
    path("games/<int:game_id>/file/", films.game_file, name="file"),
    path("games/<int:game_id>/analysis/", analysis.analysis, name="analysis"),
    path("games/<int:game_id>/analysis/stop/", analysis.stop, name="stop_analysis"),
    path("games/<int:game_id>/robots/<int:seat>/", people.robot_page, name="robot"),
    path("games/<int:game_id>/pulse/", streams.pulse, name="pulse"),
    path("games/<int:game_id>/votes/", votes.votes, name="votes"),
    path("games/<int:game_id>/votes/<int:vote_id>/", votes.ballot, name="ballot"),
    path("games/<int:game_id>/chat/", chat.chat, name="chat"),
    path("games/<int:game_id>/chat/read/", chat.read, name="read_chat"),
    path("games/<int:game_id>/news/", play.news_of_game, name="news"),
    path("games/<int:game_id>/channels/", groups.game_channels, name="channels"),
    path("games/<int:game_id>/standing/", absence.standing_of_game, name="standing"),
    path("ballots/<str:ballot>/", votes.ballot_by_mail, name="ballot_by_mail"),
    path("remind/<str:mark>/", play.remind, name="remind"),
    path("unsubscribe/game/<str:mark>/", play.unsubscribe, name="unsubscribe"),
    path("unsubscribe/lobbies/<str:mark>/", news.unsubscribe_lobby, name="unsubscribe_lobby"),
    path("unsubscribe/starships/<str:mark>/", news.unsubscribe_starships, name="unsubscribe_starships"),
    path("games/<int:game_id>/seen/", play.seen, name="seen"),
    path("games/<int:game_id>/turns/<int:number>/", play.turn, name="turn"),
    path("games/<int:game_id>/turns/<int:number>/play-on/", playing_on.play_on, name="play_on"),
    path("games/<int:game_id>/turns/<int:number>/branch/", branches.new_branch, name="new_branch"),
    path("games/<int:game_id>/branches/<str:branch_token>/", branches.branch, name="branch"),
    path(
        "games/<int:game_id>/branches/<str:branch_token>/turns/<int:number>/film/",
        branches.branch_film,
        name="branch_film",
    ),
    path("games/<int:game_id>/turns/<int:number>/film/", films.film, name="film"),
    path("games/<int:game_id>/turns/<int:number>/board-<str:theme>.png", films.picture, name="picture"),
    path("games/<int:game_id>/board-<str:theme>.svg", films.drawing, name="drawing"),
    path("games/<int:game_id>/turns/<int:number>/orders/", play.orders, name="orders"),
    path("games/<int:game_id>/turns/<int:number>/draft/", play.draft, name="draft"),
    path("games/<int:game_id>/turns/<int:number>/coach/", analysis.coach, name="coach"),
    path("games/<int:game_id>/turns/<int:number>/preview/", play.preview, name="preview"),
    path("games/<int:game_id>/turns/<int:number>/redeal/", play.redeal, name="redeal"),
    path("games/<int:game_id>/turns/<int:number>/wake/", play.wake, name="wake"),
    path("games/<int:game_id>/screen/", play.screen, name="screen"),
]

sharing_: list[URLPattern] = [
    path("games/<int:game_id>/text/", sharing.text, name="text"),
    path("games/<int:game_id>/share.png", sharing.picture, name="picture"),
    path("games/<int:game_id>/turns/<int:number>/share.png", sharing.picture, name="picture_turn"),
    path("games/<int:game_id>/turns/<int:number>/clip/", sharing.clip, name="clip"),
    path("games/<int:game_id>/turns/<int:number>/clip.webp", sharing.clip_file, name="clip_file"),
    path("embed/game/<int:game_id>/", sharing.embed, name="embed"),
    path("embed/game/<int:game_id>/turn/<int:number>/", sharing.embed, name="embed_turn"),
    path("embed/daily/<slug:day>/", daily.embed_day, name="embed_day"),
    path("embed/daily/<slug:day>/turn/<int:number>/", daily.embed_day, name="embed_day_turn"),
    path("embed/daily/results/<slug:result_key>/", daily.embed_result, name="embed_result"),
    path(
        "embed/daily/results/<slug:result_key>/turn/<int:number>/",
        daily.embed_result,
        name="embed_result_turn",
    ),
    path("oembed/", oembed.oembed, name="oembed"),
]

starships: list[URLPattern] = [
    path("", library.library, name="list"),
    path("<int:starship_id>/", library.starship, name="detail"),
    path("weeks/", library.weeks, name="weeks"),
    path("favourites/", library.favourites, name="favourites"),
    path("<int:starship_id>/favourite/", library.favourite, name="favourite"),
    path("lists/", lists.public_list_page, name="lists"),
    path("lists/mine/", lists.my_lists, name="my_lists"),
    path("lists/shared/<str:list_link>/", lists.shared_list_page, name="shared_list"),
    path("lists/<int:list_id>/", lists.list_page, name="one_list"),
    path("lists/<int:list_id>/edit/", lists.edit_list, name="edit_list"),
    path("lists/<int:list_id>/ships/", lists.arrange_list, name="arrange_list"),
    path("lists/<int:list_id>/delete/", lists.confirm_deletion, name="delete_list"),
    path("<int:starship_id>/lists/", lists.choose_lists, name="add_to_list"),
    path("<int:starship_id>/fly/", library.fly, name="fly"),
    path("<int:starship_id>/reviews/", dock.review_list, name="reviews"),
    path("<int:starship_id>/review/", dock.review_page, name="review"),
    path("<int:starship_id>/review/delete/", dock.withdraw_review, name="take_back"),
    path("<int:starship_id>/reviews/<int:review_id>/answer/", dock.answer_page, name="answer_review"),
    path("<int:starship_id>/report/", moderation.report_ship, name="report"),
    path(
        "<int:starship_id>/reviews/<int:review_id>/report/", moderation.report_a_review, name="report_review"
    ),
    path("pieces/", drawings.send_pieces, name="pieces"),
    path("palette/", drawings.send_palette, name="palette"),
    path("drawings/<int:revision_id>-<str:theme>.svg", drawings.drawing, name="drawing"),
    path("drawings/<int:revision_id>-<str:theme>.png", drawings.picture, name="picture"),
]

daily_: list[URLPattern] = [
    path("", daily.today, name="list"),
    path("archive/", daily.archive, name="archive"),
    path("<slug:day>/", daily.one_day, name="day"),
    path("<slug:day>/share.png", daily.picture, name="picture"),
    path("<slug:day>/text/", daily.day_text, name="text"),
    path("results/<slug:result_key>/", daily.result, name="result"),
    path("results/<slug:result_key>/share.png", daily.result_picture, name="result_picture"),
    path("results/<slug:result_key>/text/", daily.result_text, name="result_text"),
]

puzzles_: list[URLPattern] = [
    path("", puzzles.next_one, name="list"),
    path("history/", puzzles.history, name="history"),
    path("<int:puzzle_id>/", puzzles.one_puzzle, name="puzzle"),
]

missions_: list[URLPattern] = [
    path("", creation.missions, name="list"),
    path("<slug:slug>/", creation.mission, name="mission"),
]

people_: list[URLPattern] = [
    path("settings/time/", clocks.time, name="time"),
    path("settings/sitters/", absence.sitters, name="sitters"),
    path("settings/sitters/<int:sitting_id>/accept/", absence.accept, name="accept_sitter"),
    path("settings/sitters/<int:sitting_id>/end/", absence.end, name="end_sitter"),
    path("settings/time/vacations/", clocks.plan, name="plan_vacation"),
    path("settings/time/vacations/<int:vacation_id>/call-off/", clocks.cancel, name="cancel_vacation"),
    path("settings/news/", news.news, name="news"),
    path("settings/news/address/", news.try_address, name="try_address"),
    path("settings/news/feeds/", feeds.change, name="feeds"),
    path("settings/news/browsers/", news.change_browsers, name="devices"),
    path("settings/news/webhook/", news.change_webhook, name="webhook"),
    path("feeds/<str:key>/news.atom", feeds.news, name="feed_of_news"),
    path("feeds/<str:key>/deadlines.ics", feeds.calendar_feed, name="feed_of_deadlines"),
    path("settings/standing/", absence.standing, name="standing"),
    path("settings/tokens/", people.token_list, name="tokens"),
    path("settings/tokens/revoke/", people.revoke_all_tokens, name="revoke_tokens"),
    path("settings/tokens/<int:token_id>/revoke/", people.revoke_one, name="revoke_token"),
    path("players/", people.player_list, name="players"),
    path("players/<str:robo_name>/", people.player_page, name="person"),
    path("players/<str:robo_name>/ratings/", people.ratings_page, name="ratings"),
    path("ratings/", standings.best_players_page, name="best"),
    path("my-people/", people.contact_list, name="contacts"),
    path("players/<str:robo_name>/contact/", people.change_contact, name="contact"),
    path("players/<str:robo_name>/note/", people.save_note, name="note"),
    path("players/<str:robo_name>/awards/", standings.player_awards_page, name="months"),
    path("awards/", standings.awards_page, name="awards"),
    path("awards/<slug:key>/", standings.award_page, name="award"),
    path("achievements/seen/", people.mark_achievements_seen, name="seen"),
    path("settings/data/", people.personal_data, name="data"),
    path("settings/data/file/", people.download_data, name="data_file"),
    path("settings/data/link/<str:mark>/", people.data_by_link, name="data_by_link"),
    path("settings/data/delete/", people.delete_account_page, name="delete"),
]

conduct_: list[URLPattern] = [
    path("my-decisions/", moderation.my_conduct, name="mine"),
    path("my-decisions/<int:sanction_id>/appeal/", moderation.appeal_decision, name="appeal"),
    path("players/<str:robo_name>/report/", moderation.report_player_page, name="report"),
]

clubs_: list[URLPattern] = [
    path("", clubs.club_list, name="list"),
    path("new/", clubs.create_club, name="new"),
    path("<slug:slug>/", clubs.club_page, name="club"),
    path("<slug:slug>/edit/", clubs.edit_club, name="edit"),
    path("<slug:slug>/close/", clubs.close_club, name="close"),
    path("<slug:slug>/belong/", clubs.join_or_leave, name="belong"),
    path("<slug:slug>/member/", clubs.change_member, name="member"),
    path("<slug:slug>/link/", clubs.change_link, name="link"),
    path("<slug:slug>/channels/", groups.club_channels, name="channels"),
]

groups_: list[URLPattern] = [
    path("<int:channel_id>/", groups.edit_channel, name="channel"),
    path("pictures/<str:key>.png", groups.picture, name="picture"),
]

tournaments_: list[URLPattern] = [
    path("", competitions.tournament_list, name="list"),
    path("new/", competitions.new_tournament, name="new"),
    path("<int:tournament_id>/", competitions.tournament_page, name="tournament"),
    path("<int:tournament_id>/edit/", competitions.edit_draft, name="edit"),
    path("<int:tournament_id>/act/", competitions.change_entry, name="act"),
    path("<int:tournament_id>/channels/", groups.tournament_channels, name="channels"),
    path("<int:tournament_id>/rounds/<int:number>/", competitions.round_page, name="round"),
]

ladders_: list[URLPattern] = [
    path("", competitions.ladder_list, name="list"),
    path("<slug:slug>/", competitions.ladder_page, name="ladder"),
    path("<slug:slug>/act/", competitions.change_rung, name="act"),
    path("<slug:slug>/challenge/<str:robo_name>/", competitions.challenge_player, name="challenge"),
]

seasons_: list[URLPattern] = [
    path("", competitions.season_list, name="list"),
    path("<int:season_id>/", competitions.season_page, name="season"),
    path("<int:season_id>/enter/", competitions.join_or_leave_season, name="enter"),
]

shipyard_: list[URLPattern] = [
    path("", dock.dock, name="list"),
    path("new/", drafts.new_draft, name="new"),
    path("notation/", drawings.notation, name="notation"),
    path("suggest/", suggestions.suggest, name="suggest"),
    path("suggestions/<int:suggestion_id>/", suggestions.suggestion, name="suggestion"),
    path("suggestions/<int:suggestion_id>/cancel/", suggestions.cancel_suggestion, name="suggestion_cancel"),
    path("suggestions/<int:suggestion_id>/draw/", suggestions.draw_on_suggestion, name="suggestion_draw"),
    path("shared/<str:link>/", drafts.shared_draft_page, name="shared"),
    path("shared/<str:link>/file/", drafts.shared_file, name="shared_file"),
    path("shared/<str:link>/copy/", drafts.copy_shared_draft, name="copy_shared"),
    path("shared/<str:link>/report/", moderation.report_shared_ship, name="report_shared"),
    path("<int:draft_id>/", drafts.draft, name="draft"),
    path("<int:draft_id>/share/", drafts.share_draft, name="share"),
    path("<int:draft_id>/fix/", drafts.fix_draft, name="fix"),
    path("<int:draft_id>/fly/", drafts.fly, name="fly"),
    path("<int:draft_id>/publish/", dock.publish_page, name="publish"),
    path("prototypes/<int:starship_id>/close/", dock.close_page, name="close"),
    path("<int:draft_id>/tunnel/", tunnel.tunnel, name="tunnel"),
    path("<int:draft_id>/tunnel/<int:run_id>/", tunnel.tunnel_run, name="tunnel_run"),
    path("<int:draft_id>/tunnel/<int:run_id>/cancel/", tunnel.cancel_tunnel_run, name="tunnel_cancel"),
    path("<int:draft_id>/tunnel/<int:run_id>/fix/", tunnel.take_tunnel_fix, name="tunnel_fix"),
    path("<int:draft_id>/history/", drafts.history, name="history"),
    path("<int:draft_id>/versions/<int:number>/restore/", drafts.restore_version, name="restore"),
    path("<int:draft_id>/file/", drafts.draft_file, name="file"),
    path("<int:draft_id>/delete/", drafts.confirm_deletion, name="delete"),
    path("<int:draft_id>/drawing-<str:theme>.svg", drafts.draft_drawing, name="drawing"),
]

promotions: list[URLPattern] = [
    path("prototypes/<int:starship_id>/promotion/", dock.request_promotion, name="ask"),
    path("prototypes/<int:starship_id>/promotion/take-back/", dock.withdraw_promotion, name="take_back"),
    path("promotions/", dock.promotion_list, name="list"),
    path("promotions/<int:promotion_id>/", dock.promotion_page, name="one"),
    path("decisions/", dock.decision_list, name="decisions"),
]

urlpatterns = [
    path("", include((pages, "pages"))),
    path("", include((games, "games"))),
    path("", include((sharing_, "sharing"))),
    path("", include((people_, "people"))),
    path("clubs/", include((clubs_, "clubs"))),
    path("channels/", include((groups_, "groups"))),
    path("", include((conduct_, "conduct"))),
    path("tournaments/", include((tournaments_, "tournaments"))),
    path("ladders/", include((ladders_, "ladders"))),
    path("seasons/", include((seasons_, "seasons"))),
    path("daily/", include((daily_, "daily"))),
    path("puzzles/", include((puzzles_, "puzzles"))),
    path("missions/", include((missions_, "missions"))),
    path("starships/", include((starships, "starships"))),
    path("shipyard/", include((shipyard_, "shipyard"))),
    path("dock/", include((promotions, "promotions"))),
]
