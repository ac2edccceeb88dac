-- What mandates are searched by: the words of holder, payer and reference, without case and accents.
-- Each word begins with the account, so that a search reads what is the account's alone. Mandates are
-- made one by one, each with a letter: its words are indexed as it is written.
create function mandate_words(account text, said text) returns tsvector
language sql immutable parallel safe as $$
  select coalesce(array_to_tsvector(array_agg(distinct account || word)), '')
  from regexp_split_to_table(
    lower(regexp_replace(normalize(said, nfkd), '[\u0300-\u036F]', '', 'g')), '[^[:alnum:]]+'
  ) as word
  where word <> ''
$$;

-- A search reads what is pending besides, so that is kept short.
create index mandates_by_words on mandates using gin (
  mandate_words(account_id, holder || ' ' || payer || ' ' || coalesce(reference, ''))
) with (gin_pending_list_limit = 1024);
