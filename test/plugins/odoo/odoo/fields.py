class Field:
    default = None

    def __init__(self, *_args, default=None, **_options):
        self.default = self.default if default is None else default


class Integer(Field):
    default = 0


Char = Text = Selection = Field
