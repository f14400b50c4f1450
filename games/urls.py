"""Addresses of the pages: what this is, the rooms, games, starships."""

from django.urls import URLPattern, URLResolver, include, path

from games.views import (
    ballots,
    changing,
    chatting,
    creating,
    data,
    devices,
    documents,
    feeds,
    files,
    films,
    front,
    going,
    library,
    lobbying,
    mail_events,
    mailbox,
    missions,
    news,
    people,
    playing,
    programming,
    quick,
    resigning,
    resting,
    robots,
    rooms,
    rulebooks,
    seeing,
    service,
    standing,
    taking_over,
    tokens,
    voting,
    webhooks,
)

pages: list[URLPattern] = [
    path("", front.home, name="home"),
    path("rules/", front.rulebook, name="rules"),
    path("rulebook/<slug:key>/", rulebooks.rulebook, name="rulebook"),
    path("docs/", documents.documents, name="documents"),
    path("docs/play_a_game.py", documents.example, name="example"),
    path("docs/<slug:slug>/", documents.one_document, name="document"),
    *(
        path(f"{name}/", service.page, {"name": name}, name=name)
        for name in ("help", "story", "about", "conduct", "privacy", "terms", "contact")
    ),
    path("mail/", mailbox.mailbox, name="mail"),
    path("mail-events/", mail_events.mail_events, name="mail_events"),
    path("worker.js", devices.worker, name="worker"),
    path("mail/<str:key>/", mailbox.mail, name="mail_one"),
    path("mail/<str:key>/contents/", mailbox.contents, name="mail_contents"),
]

lobby: list[URLPattern] = [
    path("join/", lobbying.join, name="join"),
    path("seat/", lobbying.change_seat, name="seat"),
    path("ready/", lobbying.ready, name="ready"),
    path("start/", lobbying.start, name="start"),
    path("leave/", lobbying.leave, name="leave"),
    path("cancel/", lobbying.cancel, name="cancel"),
    path("settings/", changing.settings, name="settings"),
    path("computers/", lobbying.add_computer, name="add_computer"),
    path("computers/<int:number>/", changing.computer, name="computer"),
    path("seats/<int:number>/remove/", lobbying.remove, name="remove"),
    path("invite/", lobbying.invite, name="invite"),
    path("invitations/<int:invitation_id>/withdraw/", lobbying.withdraw, name="withdraw"),
    path("link/", lobbying.renew_link, name="renew_link"),
    path("decline/", lobbying.decline, name="decline"),
    path("rematch/", lobbying.rematch, name="rematch"),
]

games: list[URLPattern | URLResolver] = [
    path("games/", rooms.room, name="room"),
    path("seats/", taking_over.offers, name="offers"),
    path("my-room/", rooms.mine, name="mine"),
    path("next/", going.next_game, name="next"),
    path("games/new/", creating.create, name="create"),
    path("games/new/board/", creating.board, name="board"),
    path("games/quick/", quick.quick, name="quick"),
    path("games/<int:game_id>/", playing.game, name="game"),
    path("games/<int:game_id>/rulebook/", rulebooks.of_game, name="rulebook"),
    path("games/<int:game_id>/", include(lobby)),
    path("games/<int:game_id>/seats/<int:number>/take/", taking_over.take, name="take"),
    path("games/<int:game_id>/resign/", resigning.resign, name="resign"),
    path("games/<int:game_id>/file/", files.game_file, name="file"),
    path("games/<int:game_id>/robots/<int:seat>/", robots.robot, name="robot"),
    path("games/<int:game_id>/pulse/", playing.pulse, name="pulse"),
    path("games/<int:game_id>/votes/", voting.votes, name="votes"),
    path("games/<int:game_id>/votes/<int:vote_id>/", voting.ballot, name="ballot"),
    path("games/<int:game_id>/chat/", chatting.chat, name="chat"),
    path("games/<int:game_id>/chat/read/", chatting.read, name="read_chat"),
    path("games/<int:game_id>/news/", news.news_of_game, name="news"),
    path("games/<int:game_id>/standing/", standing.standing_of_game, name="standing"),
    path("ballots/<str:ballot>/", ballots.ballot_by_mail, name="ballot_by_mail"),
    path("unsubscribe/game/<str:mark>/", news.unsubscribe, name="unsubscribe"),
    path("unsubscribe/lobbies/<str:mark>/", news.unsubscribe_lobby, name="unsubscribe_lobby"),
    path("games/<int:game_id>/seen/", seeing.seen, name="seen"),
    path("games/<int:game_id>/turns/<int:number>/", playing.turn, name="turn"),
    path("games/<int:game_id>/turns/<int:number>/film/", films.film, name="film"),
    path("games/<int:game_id>/turns/<int:number>/orders/", programming.orders, name="orders"),
    path("games/<int:game_id>/turns/<int:number>/draft/", programming.draft, name="draft"),
    path("games/<int:game_id>/turns/<int:number>/preview/", programming.preview, name="preview"),
    path("games/<int:game_id>/turns/<int:number>/redeal/", programming.redeal, name="redeal"),
    path("games/<int:game_id>/turns/<int:number>/wake/", programming.wake, name="wake"),
]

starships: list[URLPattern] = [
    path("", library.starships, name="list"),
    path("<int:starship_id>/", library.starship, name="detail"),
    path("<int:starship_id>/fly/", library.fly, name="fly"),
    path("drawings/<int:revision_id>-<str:theme>.svg", library.drawing, name="drawing"),
]

missions_: list[URLPattern] = [
    path("", missions.missions, name="list"),
    path("<slug:slug>/", missions.mission, name="mission"),
]

people_: list[URLPattern] = [
    path("settings/time/", resting.time, name="time"),
    path("settings/time/vacations/", resting.plan, name="plan_vacation"),
    path(
        "settings/time/vacations/<int:vacation_id>/call-off/",
        resting.call_off,
        name="call_off_vacation",
    ),
    path("settings/news/", news.news, name="news"),
    path("settings/news/address/", news.try_address, name="try_address"),
    path("settings/news/feeds/", feeds.change, name="feeds"),
    path("settings/news/browsers/", devices.change, name="devices"),
    path("settings/news/webhook/", webhooks.change, name="webhook"),
    path("feeds/<str:key>/news.atom", feeds.news, name="feed_of_news"),
    path("feeds/<str:key>/deadlines.ics", feeds.deadlines, name="feed_of_deadlines"),
    path("settings/standing/", standing.standing, name="standing"),
    path("settings/tokens/", tokens.tokens, name="tokens"),
    path("settings/tokens/revoke/", tokens.revoke_all, name="revoke_tokens"),
    path("settings/tokens/<int:token_id>/revoke/", tokens.revoke, name="revoke_token"),
    path("players/", people.players, name="players"),
    path("players/<str:robo_name>/", people.person, name="person"),
    path("achievements/seen/", people.seen, name="seen"),
    path("settings/data/", data.data, name="data"),
    path("settings/data/file/", data.data_file, name="data_file"),
    path("settings/data/delete/", data.delete, name="delete"),
]

urlpatterns = [
    path("", include((pages, "pages"))),
    path("", include((games, "games"))),
    path("", include((people_, "people"))),
    path("missions/", include((missions_, "missions"))),
    path("starships/", include((starships, "starships"))),
]
