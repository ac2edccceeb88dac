import fcntl
import json
import os
import pathlib

from .fields import Field

SHOP = pathlib.Path(os.environ["SHOP"])
registry = {}


class Model:
    """Base of declared models: each declaration extends the class of its name."""

    def __init_subclass__(cls, **options):
        super().__init_subclass__(**options)
        name = cls.__dict__.get("_name") or cls.__dict__.get("_inherit")
        parts = registry.setdefault(name, [])
        parts.insert(0, cls)


class Cursor:
    """Holds writes, and the locks of `FOR UPDATE`, until the commit."""

    def __init__(self):
        self.rows, self.dirty, self.locks = {}, {}, {}

    def execute(self, query, values):
        assert query.endswith("FOR UPDATE")
        name = f"{query.split()[3]}-{values[0]}"
        if name not in self.locks:
            self.locks[name] = open(SHOP / "locks" / name, "w")  # noqa: SIM115 - held on
            fcntl.flock(self.locks[name], fcntl.LOCK_EX)

    def read(self, model, number):
        key = (model, number)
        if key not in self.rows:
            file = SHOP / "orders" / f"{model}-{number}"
            self.rows[key] = None
            if file.exists():
                with open(file) as opened:
                    fcntl.flock(opened, fcntl.LOCK_SH)
                    text = opened.read()
                self.rows[key] = json.loads(text) if text else None
        row = self.rows[key]
        change = self.dirty.get(key)
        return None if row is None and change is None else {**(row or {}), **(change or {})}

    def commit(self):
        for (model, number), change in self.dirty.items():
            with open(SHOP / "orders" / f"{model}-{number}", "a+") as opened:
                fcntl.flock(opened, fcntl.LOCK_EX)
                opened.seek(0)
                row = json.loads(opened.read() or "{}")
                opened.truncate(0)
                opened.write(json.dumps({**row, **change}))
        self.rollback()

    def rollback(self):
        for lock in self.locks.values():
            lock.close()
        self.rows, self.dirty, self.locks = {}, {}, {}


class Environment:
    def __init__(self):
        self.cr = Cursor()

    def __getitem__(self, name):
        return type(name, (Records, *registry[name]), {"_model": name})(self, ())


class Records:
    """A set of records; a single record exposes its fields."""

    def __init__(self, env, ids):
        object.__setattr__(self, "env", env)
        object.__setattr__(self, "ids", tuple(ids))

    def __getattribute__(self, name):
        found = object.__getattribute__(self, name)
        return self._value(name, found) if isinstance(found, Field) else found

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._value(name, None)

    def _value(self, name, field):
        if not self.ids:
            return None
        (number,) = self.ids
        row = self.env.cr.read(self._model, number) or {}
        return row.get(name, field.default if field else None)

    def __setattr__(self, name, value):
        self.write({name: value})

    def write(self, values):
        for number in self.ids:
            self.env.cr.dirty.setdefault((self._model, number), {}).update(values)
        return True

    def browse(self, ids):
        return type(self)(self.env, [ids] if isinstance(ids, int) else ids)

    @property
    def id(self):
        return self.ids[0] if self.ids else False

    @property
    def _fields(self):
        return {}

    def __iter__(self):
        return (self.browse(one) for one in self.ids)

    def __bool__(self):
        return bool(self.ids)

    def __sub__(self, other):
        return self.browse([one for one in self.ids if one not in other.ids])

    def filtered(self, keeps):
        return self.browse([one.id for one in self if keeps(one)])

    def exists(self):
        read = self.env.cr.read
        return self.browse([one for one in self.ids if read(self._model, one) is not None])

    def invalidate_recordset(self):
        for number in self.ids:
            self.env.cr.rows.pop((self._model, number), None)

    def sudo(self):
        return self
