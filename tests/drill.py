"""The board file that the tests of reading and of refusing start from."""

DRILL = """\
system = "riese"
title = "Corridor drill"
round = 1
threat = 0
darkness = false

map = '''
+-+-+-+-+-+
|. . . . .|
+ + + +-+ +
|. ~ # . .D
+ + + + + +
|. . ^ . .|
+-+-+-+-+-+
'''

[[figure]]
id = "nicole"               # with a comment
kind = "hero"
name = "Nicole"
at = "A3"
facing = "north"
declared = "walking"
weapon = "FG-42"
off_hand = "Torch"
ammo = 3
gear = []
health = 4
skills = []
used = []
status = ["covering"]

[[figure]]
id = "z1"
kind = "zombie"
type = "beta"
at = "E1"
status = ["stunned"]

[[weapon]]
name = "MP-40"
rof = 2
stun = 6
wound = 9
pbr = 4
rm = 2

[[marker]]
kind = "fire"
at = "C3"
label = "O1"
"""
