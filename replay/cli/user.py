"""`discardrack user`: who may use the console of a store; also while it is served."""

import getpass
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import click

from projections.store.store_file import check_is_store
from projections.web.auth.access_log import broken, head
from projections.web.auth.accounts import Accounts, Tokens, role_of, unnoted
from projections.web.auth.accounts_file import AccountsFile, accounts_of
from projections.web.auth.roles import MACHINE, ROLES
from projections.web.auth.second_factors import SecondFactors
from replay.cli import custody
from replay.cli.options import STORE, Verbs
from replay.lists.writers import Form, format_option, write_rows
from schemas.errors import BadInput
from schemas.values import moment

_COLUMNS: Final = ("name", "shown", "role", "disabled", "must_change", "made", "last_login", "token_until")
_DAYS: Final = 365
_store = click.option(
    "--store", type=click.Path(path_type=Path), default=STORE, show_default=True, help="The store."
)
_role = click.Choice(ROLES)
_any_role = click.Choice([*ROLES, MACHINE])
_from_stdin = click.option("--password-stdin", is_flag=True, help="Read the password from standard input.")


@click.group(cls=Verbs)
def user() -> None:
    """Manage who may use the console of a store, and in which role.

    Accounts are in a file beside the store, STORE.accounts, which only its owner may read. Changes take
    effect at once, also while the console is served, and end the account's sessions.

    \b
    Example:
      discardrack user add ines --role administrator --store var/live.duckdb
      discardrack user list --store var/live.duckdb
    """  # noqa: D301  click's mark for text that is not wrapped


@user.command()
@click.argument("name")
@click.option("--role", type=_any_role, required=True, help="What the account may do.")
@click.option("--shown", "display_name", help="The person's name, as the console shows it; NAME unless told.")
@_store
@_from_stdin
def add(name: str, role: str, display_name: str | None, store: Path, *, password_stdin: bool) -> None:
    """Add an account; its password is asked for. A machine has none: give it a token.

    \b
    Example:
      discardrack user add ines --role administrator --store var/live.duckdb
    """  # noqa: D301  likewise
    with _accounts(store, new=True) as (accounts, by):
        chosen = _password(from_stdin=password_stdin) if role != MACHINE else None
        accounts.add(name, display_name or name, role_of(role), chosen, by=by)
    click.echo(f"{name} may log in as {role}" if chosen is not None else f"{name} may have a token")
    if not store.exists():
        unmade = f"{store}: there is no such store yet; the console that makes it will know {name}"
        click.echo(unmade, err=True)


@user.command()
@click.argument("name")
@click.option("--role", type=_role, required=True, help="What the account may do from now on.")
@_store
def role(name: str, role: str, store: Path) -> None:
    """Set an account's role.

    \b
    Example:
      discardrack user role ines --role director --store var/live.duckdb
    """  # noqa: D301  likewise
    with _accounts(store) as (accounts, by):
        accounts.give_role(name, role_of(role), by=by)


@user.command()
@click.argument("name")
@_store
@click.option("--undo", is_flag=True, help="Let the account be used again.")
def disable(name: str, store: Path, *, undo: bool) -> None:
    """Disable an account: nobody can log in with it. It is not deleted, as the log names it.

    \b
    Example:
      discardrack user disable ines --store var/live.duckdb
    """  # noqa: D301  likewise
    with _accounts(store) as (accounts, by):
        accounts.set_disabled(name, disabled=not undo, by=by)


@user.command()
@click.argument("name")
@_store
@_from_stdin
def password(name: str, store: Path, *, password_stdin: bool) -> None:
    """Set an account's password, which is prompted for.

    \b
    Example:
      discardrack user password ines --store var/live.duckdb
    """  # noqa: D301  likewise
    with _accounts(store) as (accounts, by):
        accounts.get(name)
        accounts.set_password(name, _password(from_stdin=password_stdin), by=by)


@user.command()
@click.argument("name")
@_store
@click.option(
    "--expires",
    "days",
    metavar="DAYS",
    type=click.IntRange(1, 3650),
    default=_DAYS,
    show_default=True,
    help="After how many days it ends.",
)
@click.option("--revoke", is_flag=True, help="End the account's token instead.")
def token(name: str, store: Path, days: int, *, revoke: bool) -> None:
    """Make the token of an account, for programs that read; it is printed once and stored nowhere.

    An account has one token: an earlier one ends. It is sent as `Authorization: Bearer TOKEN`, reads what the
    account may see, and changes nothing.

    \b
    Example:
      discardrack user token nightly --store var/live.duckdb > nightly.token
    """  # noqa: D301  likewise
    with _file(store) as file:
        if revoke:
            Tokens(file).revoke(name, by=_by())
        else:
            tokens = Tokens(file)
            had = name in tokens.until()
            click.echo(tokens.make(name, days, by=_by()))
            if had:
                click.echo(f"the token that {name} had before has ended", err=True)


@user.command("second-factor")
@click.argument("name")
@_store
@click.option("--remove", is_flag=True, help="Remove all that the account has.")
def second_factor(name: str, store: Path, *, remove: bool) -> None:
    """List the second factors of an account, or remove them where their owner has lost them.

    Its sessions end. People add second factors on the page of their own account.

    \b
    Example:
      discardrack user second-factor ines --remove --store var/live.duckdb
    """  # noqa: D301  likewise
    with _file(store) as file:
        Accounts(file).get(name)
        factors = SecondFactors(file)
        if remove:
            factors.reset(name, by=_by())
            return
        rows = [
            {
                "kind": each.kind,
                "label": each.label,
                "made": _time(each.made),
                "used": _time(each.used) if each.used is not None else None,
            }
            for each in factors.of(name)
        ]
    write_rows(rows, "table", ("kind", "label", "made", "used"))


@user.command("list")
@_store
@format_option()
def list_(store: Path, form: Form) -> None:
    """List the accounts of a store, by name.

    \b
    Example:
      discardrack user list --store var/live.duckdb --format csv
    """  # noqa: D301  likewise
    with _file(store) as file:
        until = Tokens(file).until()
        rows = [
            {
                "name": each.name,
                "shown": each.shown,
                "role": each.role,
                "disabled": "yes" if each.disabled else None,
                "must_change": "yes" if each.must_change else None,
                "made": _time(each.made),
                "last_login": _time(each.last_login) if each.last_login is not None else None,
                "token_until": _time(until[each.name]) if each.name in until else None,
            }
            for each in Accounts(file).all()
        ]
    write_rows(rows, form, _COLUMNS)


@user.command()
@_store
def check(store: Path) -> None:
    """Check that the log of who viewed what is complete, and print its last number and hash.

    Write the two down elsewhere: only they show whether the end was cut off. Exit status: 1 if a row does not
    follow from the one before it, or if accounts, roles or embargoes differ from the log.

    \b
    Example:
      discardrack user check --store var/live.duckdb
    """  # noqa: D301  likewise
    with _file(store) as file:
        faults = [f"row {each} does not follow from the one before it" for each in broken(file)]
        faults += unnoted(file)
        number, value = head(file)
    for each in faults:
        click.echo(each, err=True)
    click.echo(f"{number} {value}")
    raise click.exceptions.Exit(1 if faults else 0)


@contextmanager
def _file(store: Path, *, new: bool = False) -> Iterator[AccountsFile]:
    path = accounts_of(store)
    if new:
        check_is_store(store)
    elif not path.is_file():
        raise BadInput(f"{store}: has no accounts; discardrack user add --store {store} makes the first")
    with closing(AccountsFile(path)) as file:
        yield file


@contextmanager
def _accounts(store: Path, *, new: bool = False) -> Iterator[tuple[Accounts, str]]:
    """Open a store's accounts, with the name of who changes them."""
    with _file(store, new=new) as file:
        yield Accounts(file), _by()


def _by() -> str:
    return f"{custody.user()} (system)"


def _time(at: int) -> str:
    return moment(at * 1_000_000).strftime("%Y-%m-%dT%H:%M:%SZ")


def _password(*, from_stdin: bool) -> str:
    if from_stdin:
        return sys.stdin.readline().rstrip("\r\n")
    if not sys.stdin.isatty():
        raise BadInput("the password is asked for on a terminal; elsewhere say --password-stdin")
    try:
        chosen = getpass.getpass("Password: ")
        again = getpass.getpass("Again: ")
    except KeyboardInterrupt:
        click.echo(err=True)  # the message has a line of its own, not behind the prompt
        raise
    except EOFError:
        click.echo(err=True)
        raise BadInput("no password was typed, and nothing was changed") from None
    if again != chosen:
        raise BadInput("the password was not typed the same way twice")
    return chosen
