-- Pieces may issue the token of a CUSTOM_AUTH connection. piece_token_due is the instant from which that token must be issued
-- before use. It is not refresh_due, because servers of earlier releases would renew such a connection as OAuth2 and fail. The
-- default makes connections due that earlier releases saved: their pieces are asked at the first use.
alter table app_connection add column piece_token_due timestamptz default now();
