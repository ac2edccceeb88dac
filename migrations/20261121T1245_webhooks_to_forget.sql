-- Removed webhooks are forgotten like those of one entity, once they have told what they had to tell.
drop index webhooks_once_to_forget;
create index webhooks_to_forget on webhooks (coalesce(deleted_at, created_at))
  where only_entity is not null or deleted_at is not null;
