-- A product outside shows the same token for each frame that it opens, until the token ends.
drop table used_external_token;
