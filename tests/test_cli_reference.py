"""The reference of commands is what the commands say of themselves."""

from docs import commands


def test_the_page_of_commands_is_up_to_date() -> None:
    assert commands.PAGE.read_text(encoding="utf-8") == commands.text(), (
        "write it anew: python docs/commands.py"
    )


def test_the_page_names_every_command_and_option() -> None:
    page = commands.text()
    for line in ("## asterism up", "## asterism star close-day [DAY]", "`--limit`, `-k`"):
        assert line in page
