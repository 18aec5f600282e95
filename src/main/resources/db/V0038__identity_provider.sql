-- A platform's own identity provider: by SAML, or by OpenID Connect (contract admin-api 18.1, 32.8). What is secret in
-- its settings is sealed.

alter table user_identity drop constraint user_identity_provider_check;
alter table user_identity add constraint user_identity_provider_check
    check (provider in ('EMAIL', 'GOOGLE', 'SAML', 'OIDC', 'JWT'));
