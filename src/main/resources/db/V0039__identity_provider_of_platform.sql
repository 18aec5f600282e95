-- A platform's own identity provider: by SAML, or by OpenID Connect (contract admin-api 18.1, 32.8). Its settings are
-- sealed.

alter table platform add column sealed_saml_provider bytea;
alter table platform add column sealed_oidc_provider bytea;

-- A domain stands for its people on one platform only, once the platform has shown that it owns it.
create unique index platform_sso_domain on platform (sso_domain)
    where sso_domain_verification->>'status' = 'VERIFIED';

-- Questions that an identity provider has not answered yet. Each is answered once.
create table saml_request (
    id          text collate "C" primary key,
    platform_id text collate "C" not null references platform (id),
    expires     timestamptz not null
);

create index saml_request_expires on saml_request (expires);
