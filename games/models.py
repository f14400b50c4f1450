"""All models of the app, where Django looks for them. Each room defines its own models."""

from games.absence.models import Reliability, Replacement
from games.admission.models import Removal, RemovalEntry
from games.analysis.models import Analysis
from games.branches.models import Branch
from games.chat.models import ChatLine
from games.clocks.models import Boot, Heartbeat, Maintenance, Outage, Rest, Vacation, VacationDay
from games.clubs.models import Candidate, Club, ClubGame, Membership
from games.competitions.models import (
    Division,
    Entrant,
    Ladder,
    LadderGame,
    Round,
    Rung,
    Season,
    SeasonEntry,
    Table,
    TableGame,
    TablePlace,
    Ticket,
    Tournament,
    TournamentShip,
    Wait,
)
from games.daily.models import DailyResult, DailyRun
from games.dock.models import Promotion, PromotionVote, Prototype, Review, ShipRating
from games.fleet.models import (
    Course,
    Favourite,
    Flier,
    Mission,
    Piece,
    Starship,
    StarshipFacts,
    StarshipFigures,
    StarshipList,
    StarshipListEntry,
    StarshipRevision,
    StarshipWeek,
)
from games.groups.models import Announcement, GroupChannel
from games.lobby.models import Invitation, LobbyEntry
from games.moderation.models import (
    Appeal,
    Case,
    ConductEntry,
    Moderation,
    Renaming,
    Report,
    Sanction,
    ShipCase,
)
from games.news.models import Device, Feed, MailServer, Notice, NoticeSubject, Receiver, SiteNotice, Webhook
from games.people.models import (
    Achievement,
    ApiToken,
    Block,
    Deletion,
    Follow,
    Forgetting,
    Housemate,
    PlayerNote,
    Share,
    Tally,
)
from games.play.models import Draft, Game, Hand, Program, Seat, Turn
from games.puzzles.models import Puzzle, PuzzleRating, PuzzleTry
from games.sharing.models import Clip
from games.shipyard.models import DraftFlight, DraftVersion, StarshipDraft, TunnelBatch, TunnelRun
from games.staff.models import BackupRun, ErrorGroup, Incident, Intervention, Watcher
from games.standings.models import (
    Award,
    MonthClose,
    PlayerMonth,
    PlayerRating,
    RatingChange,
    RatingPool,
    RatingShift,
    Result,
)
from games.votes.models import Ballot, Vote
from games.work.models import Alarm, EndedGame, LimitedUse
