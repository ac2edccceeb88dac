-- A day's books close when its report is first read after it: from then on nothing is dated on it.
-- One row; the days up to it are closed.
create table closed_books (
  only_row boolean primary key default true check (only_row),
  through date not null
);
insert into closed_books (through) values ('0001-01-01');

-- Called by what posts on a day, in its own transaction. It never waits for a closing: who posts
-- holds rows that an earlier posting, for which the closing waits, may need. Each look at
-- closed_books in here sees what was committed by then, unlike the statement that calls it.
create function post_on(day date) returns date language plpgsql volatile as $$
begin
  if not pg_try_advisory_xact_lock_shared(hashtextextended('closed_books', 0)) then
    raise exception 'the books of a day are being closed' using errcode = 'RC001';
  end if;
  if exists (select from closed_books where through >= day) then
    raise exception 'the books of % are closed', day using errcode = 'RC001';
  end if;
  return day;
end $$;

-- Waits for the postings under way, then closes all days up to one.
create function close_books(day date) returns void language plpgsql volatile as $$
begin
  perform pg_advisory_xact_lock(hashtextextended('closed_books', 0));
  update closed_books set through = day where through < day;
end $$;
