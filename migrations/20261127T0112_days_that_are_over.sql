-- Waits for postings under way, then closes all days up to one. Rejects a day that is not over by
-- this server's clock, because one machine with a wrong clock would stop every posting.
create or replace function close_books(day date) returns void language plpgsql volatile as $$
declare
  today date := (clock_timestamp() at time zone 'UTC' - interval '3 hours'
    + (select ahead_ms from clock) * interval '1 millisecond')::date;
begin
  perform pg_advisory_xact_lock(hashtextextended('closed_books', 0));
  if day >= today then
    raise exception 'the day % is not over', day using errcode = 'RC002';
  end if;
  update closed_books set through = day where through < day;
end $$;
