-- What is told of a row later has columns of its own: the free part stays as it was sent.

-- Why a request is in its state, where somebody said so.
alter table requests add column state_comment text;

-- What is known of the moment in which the holder signed or declined.
alter table mandates add column evidence json;
