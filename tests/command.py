"""The console command in this process, for tests."""

from typer.testing import CliRunner, Result

from training.cli import app


def run(*words: object, given: str | None = None) -> Result:
    """Run a command line; `given` is typed into it."""
    return CliRunner().invoke(app, [str(word) for word in words], input=given)


def output(*words: object, given: str | None = None) -> str:
    """What a command line prints, which must succeed."""
    result = run(*words, given=given)
    assert result.exit_code == 0, result.output
    return result.stdout


def refusal(*words: object) -> str:
    """The one line with which a command line is refused before it has begun."""
    result = run(*words)
    assert result.stdout == ""
    lines = [line for line in result.stderr.splitlines() if not line.startswith("powergrid_env: compiling")]
    assert len(lines) == 1
    return _reason(result)


def refusal_after_all(*words: object) -> str:
    """The last line of a command line that began, and could not go on."""
    result = run(*words)
    assert "Traceback" not in result.stderr
    assert result.stderr.count("powergrid: ") == 1
    return _reason(result)


def _reason(result: Result) -> str:
    assert result.exit_code == 2, result.output or repr(result.exception)
    last = result.stderr.splitlines()[-1]
    assert last.startswith("powergrid: ")
    return last.removeprefix("powergrid: ")
