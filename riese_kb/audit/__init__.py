"""Reading a rulebook as an editor would: parsing it, and a row of independent checks that each yield findings.

``book`` takes the text apart, every file under ``checks`` looks for one kind of defect, ``findings`` says what a finding is, and
``report`` prints them. What counts as severe, and what is silenced, is decided there and not in the checks.
"""
