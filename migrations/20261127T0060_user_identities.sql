-- Whom an OpenID provider knows a user as. The first sign-in links them; later ones go by the subject,
-- which a provider never assigns again, unlike an email address.
create table user_identities (
  issuer text not null,
  subject text not null,
  user_id bigint not null,
  linked_at timestamptz not null,
  primary key (issuer, subject),
  unique (user_id, issuer)
);

-- True if the provider of the session vouched for a second factor, which then need not be ours.
alter table user_sessions add column provider_factor boolean not null default false;
