-- Invitations of an account within a day are counted; the last one of each member is looked for.
create index user_links_invitations on user_links (account_id, user_id, created_at)
  where kind = 'invitation';
