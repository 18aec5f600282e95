-- The index of published pieces as an address elsewhere last told it. One row: another address takes its place.
create table piece_feed (
  address text primary key,
  checked timestamptz not null,
  fetched timestamptz,
  etag text,
  content bytea
);

create trigger piece_feed_logged after update of fetched on piece_feed
  for each row execute function log_change('piece', 'address');
