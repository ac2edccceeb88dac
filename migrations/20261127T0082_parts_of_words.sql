-- The words of a text as words_of has them, and each of their ends of three letters or more, marked
-- with ~. A search inside words is then one for a beginning.
create function word_parts_of(owner text, said text) returns tsvector
language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct owner || part)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  cross join lateral (
    select word
    union all
    select '~' || substr(word, at) from generate_series(2, length(word) - 2) as at
  ) as parts (part)
  where word <> ''
$$;

create index mandates_by_parts on mandates using gin (
  word_parts_of(account_id, holder || ' ' || payer || ' ' || coalesce(reference, ''))
) with (gin_pending_list_limit = 1024);
