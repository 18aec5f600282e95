import type { AiProviderName } from '#api';
import type { FormField } from '../secrets/vendors';

export interface Vendor {
  title: string;
  /** Configuration fields, from which the address of the models is built. */
  config: readonly FormField[];
  auth: readonly FormField[];
  /** The administrator lists its models, because the vendor has no API for that. */
  listsModels?: boolean;
}

const KEY: readonly FormField[] = [{ name: 'apiKey', text: 'ai.apiKey', secret: true }];
const byKey = (title: string): Vendor => ({ title, config: [], auth: KEY });

/** The server's own credits are not among the vendors that administrators can add. */
export const VENDORS: Record<Exclude<AiProviderName, 'activepieces'>, Vendor> = {
  openai: byKey('OpenAI'),
  anthropic: byKey('Anthropic'),
  google: byKey('Google Gemini'),
  mistral: byKey('Mistral'),
  openrouter: byKey('OpenRouter'),
  azure: {
    title: 'Azure OpenAI',
    auth: KEY,
    config: [
      { name: 'resourceName', text: 'ai.resourceName' },
      { name: 'apiVersion', text: 'ai.apiVersion', optional: true, placeholder: '2024-10-21' },
    ],
  },
  bedrock: {
    title: 'Amazon Bedrock',
    config: [{ name: 'region', text: 'secrets.region', placeholder: 'eu-central-1' }],
    auth: [
      { name: 'accessKeyId', text: 'secrets.accessKeyId' },
      { name: 'secretAccessKey', text: 'secrets.secretAccessKey', secret: true },
    ],
  },
  'cloudflare-gateway': {
    title: 'Cloudflare AI Gateway',
    auth: KEY,
    listsModels: true,
    config: [
      { name: 'accountId', text: 'ai.accountId' },
      { name: 'gatewayId', text: 'ai.gatewayId' },
      { name: 'vertexProject', text: 'ai.vertexProject', optional: true },
      { name: 'vertexRegion', text: 'ai.vertexRegion', optional: true },
    ],
  },
  custom: {
    title: 'Custom',
    auth: KEY,
    listsModels: true,
    config: [
      { name: 'baseUrl', text: 'ai.baseUrl', placeholder: 'https://llm.acme.example/v1' },
      { name: 'apiKeyHeader', text: 'ai.apiKeyHeader', placeholder: 'X-Api-Key' },
    ],
  },
  vertex: {
    title: 'Google Vertex AI',
    listsModels: true,
    config: [
      { name: 'project', text: 'ai.vertexProject' },
      { name: 'region', text: 'ai.vertexRegion' },
    ],
    auth: [{ name: 'serviceAccountJson', text: 'ai.serviceAccountJson', secret: true }],
  },
  xai: byKey('xAI'),
  deepseek: byKey('DeepSeek'),
  zai: byKey('Z.ai'),
  qwen: byKey('Qwen'),
  minimax: byKey('MiniMax'),
  moonshot: byKey('Moonshot AI'),
};

export type VendorName = keyof typeof VENDORS;
export const VENDOR_NAMES = Object.keys(VENDORS) as VendorName[];

export const titleOf = (provider: AiProviderName): string =>
  provider === 'activepieces' ? 'Activepieces' : VENDORS[provider].title;

/** One model per line: `id|name|type`; the type is `image` or absent. */
export function modelsOf(typed: string): Array<{ modelId: string; modelName: string; modelType: 'text' | 'image' }> {
  return typed
    .split('\n')
    .map((line) => line.split('|').map((part) => part.trim()))
    .filter(([id]) => id)
    .map(([id = '', name, type]) => ({
      modelId: id,
      modelName: name || id,
      modelType: type === 'image' ? ('image' as const) : ('text' as const),
    }));
}

export const linesOf = (models: unknown): string =>
  !Array.isArray(models)
    ? ''
    : models
        .map((model: { modelId?: string; modelName?: string; modelType?: string }) =>
          [
            model.modelId,
            ...(model.modelName !== model.modelId || model.modelType === 'image' ? [model.modelName] : []),
            ...(model.modelType === 'image' ? ['image'] : []),
          ].join(' | '),
        )
        .join('\n');
