import { Icon } from '../base/components/Icon';
import { Badge } from '../base/components/States';
import { t } from '../base/text';
import { COLORS, ICONS, type AgentColor, type AgentIcon, type Standing } from './model';

export function AgentSign({ icon, color, size = 32 }: { icon: AgentIcon; color: AgentColor; size?: number }) {
  return (
    <span class="agent-sign" aria-hidden="true" style={{ '--sign': COLORS[color], '--size': `${size}px` }}>
      <Icon name={ICONS[icon]} size={size / 2} />
    </span>
  );
}

export function StandingBadge({ now }: { now: Standing }) {
  switch (now) {
    case 'draft':
      return (
        <Badge tone="grey" icon="pencil">
          {t('agents.draft')}
        </Badge>
      );
    case 'live':
      return (
        <Badge tone="green" icon="circle-check">
          {t('agents.live')}
        </Badge>
      );
    case 'changed':
      return (
        <Badge tone="blue" icon="pencil">
          {t('agents.changed')}
        </Badge>
      );
  }
}
