-- Bank days that the operator set otherwise than the built-in calendar.
create table calendar_days (
  day date primary key,
  kind text not null
);
