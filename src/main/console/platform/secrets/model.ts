import type { Answer } from '../../base/api/client';

export type SecretManager = Answer<'POST /v1/secret-managers'>;
