import type { SecretManagerVendor } from '#api';
import type { TextKey } from '../../base/text';

export interface FormField {
  name: string;
  text: TextKey;
  secret?: boolean;
  optional?: boolean;
  placeholder?: string;
}

export const VENDORS: Record<SecretManagerVendor, { title: string; fields: readonly FormField[] }> = {
  hashicorp: {
    title: 'HashiCorp Vault',
    fields: [
      { name: 'url', text: 'secrets.url', placeholder: 'https://vault.acme.example:8200' },
      { name: 'namespace', text: 'secrets.namespace', optional: true },
      { name: 'roleId', text: 'secrets.roleId' },
      { name: 'secretId', text: 'secrets.secretId', secret: true },
    ],
  },
  aws: {
    title: 'AWS Secrets Manager',
    fields: [
      { name: 'accessKeyId', text: 'secrets.accessKeyId' },
      { name: 'secretAccessKey', text: 'secrets.secretAccessKey', secret: true },
      { name: 'region', text: 'secrets.region', placeholder: 'eu-central-1' },
    ],
  },
  'cyberark-conjur': {
    title: 'CyberArk Conjur',
    fields: [
      { name: 'url', text: 'secrets.url', placeholder: 'https://conjur.acme.example' },
      { name: 'organizationAccountName', text: 'secrets.account' },
      { name: 'loginId', text: 'secrets.loginId' },
      { name: 'apiKey', text: 'secrets.apiKey', secret: true },
    ],
  },
  onepassword: { title: '1Password', fields: [{ name: 'serviceAccountToken', text: 'secrets.token', secret: true }] },
};

export const VENDOR_NAMES = Object.keys(VENDORS) as SecretManagerVendor[];

export const filled = (fields: readonly FormField[], typed: Record<string, string>): Record<string, string> =>
  Object.fromEntries(
    fields.map(({ name }) => [name, (typed[name] ?? '').trim()] as const).filter(([, value]) => value !== ''),
  );

export const isComplete = (fields: readonly FormField[], typed: Record<string, string>): boolean =>
  fields.every((field) => field.optional || (typed[field.name] ?? '').trim() !== '');
