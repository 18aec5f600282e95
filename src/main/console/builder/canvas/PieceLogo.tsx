import { useState } from 'preact/hooks';
import { Icon, type IconName } from '../../base/components/Icon';
import { useStore } from '../../base/store';
import type { Step } from '../steps';
import { useLogo } from './logos';
import { pieceTitle, summaries } from './pieces';

const ICONS: Partial<Record<Step['type'], IconName>> = {
  CODE: 'code',
  LOOP_ON_ITEMS: 'repeat',
  ROUTER: 'split',
  EMPTY: 'zap',
};

/** Built-in pieces use icons of the console, so that no logo is fetched. */
const OWN: Record<string, IconName> = {
  webhook: 'webhook',
  http: 'globe',
  schedule: 'clock',
  'data-mapper': 'sliders-horizontal',
  forms: 'clipboard-paste',
  tables: 'table',
  approval: 'hand',
  delay: 'timer',
  store: 'database',
  subflows: 'workflow',
  smtp: 'mail',
  csv: 'file-text',
  json: 'braces',
  'manual-trigger': 'mouse-pointer-click',
  'text-helper': 'type',
  'date-helper': 'calendar',
  tags: 'tag',
  ai: 'sparkles',
  'file-helper': 'file',
  queue: 'list',
  connections: 'plug',
  crypto: 'lock',
  graphql: 'braces',
  'math-helper': 'square-function',
  mcp: 'bot',
  'microsoft-teams-bot': 'message-square',
  xml: 'code',
};

const HUES = 12;

const shortName = (pieceName: string): string => pieceName.replace(/^.*piece-/, '');

/** Hue derived from the name: stable across visits. */
function hueOf(name: string): number {
  let sum = 0;
  for (const letter of name) {
    sum = (sum * 31 + letter.charCodeAt(0)) % 9973;
  }
  return (sum % HUES) * (360 / HUES);
}

export function PieceLogo({ step, pieceName, size = 24 }: { step?: Step; pieceName?: string; size?: number }) {
  const name = pieceName ?? step?.settings.pieceName ?? '';
  const all = useStore(summaries);
  const [broken, setBroken] = useState('');
  const icon = (step && ICONS[step.type]) ?? OWN[shortName(name)];
  const own = step?.settings.customLogoUrl ?? '';
  const fetched = useLogo(name, icon === undefined && own === '' && all.has(name));
  const url = own === '' ? fetched : own;
  return (
    <span
      class="piece-logo"
      aria-hidden="true"
      style={{
        '--hue': String(hueOf(step && ICONS[step.type] ? step.type : shortName(name))),
        '--logo': `${size + 12}px`,
      }}>
      {icon ? (
        <Icon name={icon} size={size - 4} />
      ) : /^(\/[^/]|data:image\/|blob:)/.test(url) && broken !== url ? (
        <img
          src={url}
          width={size}
          height={size}
          alt=""
          loading="lazy"
          draggable={false}
          onError={() => setBroken(url)}
        />
      ) : (
        <b>{pieceTitle(name).charAt(0)}</b>
      )}
    </span>
  );
}
