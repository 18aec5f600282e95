-- Rotation of refresh tokens of public clients (OAuth 2.1, 4.3.1). refresh_hash stays the hash of the valid token, so that a node of
-- the release before goes on working; it neither rotates nor detects reuse.
--
-- refresh_family is the SHA-256 of the first 32 characters, which all tokens of a grant have in common. Null until a token of a grant of
-- before is rotated for the first time. The other three columns describe the predecessor of the valid token;
-- all three are null, or none is. No constraint refuses what a node of the release before may write.
alter table mcp_grant
    add column refresh_family text,
    add column spent_hash     text,
    add column spent          timestamptz,
    add column successor_salt text;

create index mcp_grant_refresh_family on mcp_grant (refresh_family) where refresh_family is not null;
