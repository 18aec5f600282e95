import { Badge } from '../base/components/States';
import { t } from '../base/text';
import { lookOf } from './status';

export function StatusBadge({ status }: { status: string }) {
  const look = lookOf(status);
  return (
    <Badge tone={look.tone} icon={look.icon} spin={status === 'RUNNING'}>
      {t(look.text)}
    </Badge>
  );
}
