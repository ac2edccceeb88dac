-- The words of a text as they are searched, without case and accents, each behind its owner's name.
create function words_of(owner text, said text) returns tsvector
language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct owner || word)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  where word <> ''
$$;

-- What mandates are searched by. Each word begins with the account, so that a search reads what is
-- the account's alone, and what is pending besides, which is kept short. Mandates are made one by one,
-- each with a letter: their words are indexed as they are written.
create index mandates_by_words on mandates using gin (
  words_of(account_id, holder || ' ' || payer || ' ' || coalesce(reference, ''))
) with (gin_pending_list_limit = 1024);
