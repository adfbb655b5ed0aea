"""``python -m riese_kb``"""

from riese_kb.cli import main

main()
