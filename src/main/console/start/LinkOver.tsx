import { LinkButton } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { t } from '../base/text';
import { Gate } from './Gate';

export function LinkOver({ text, action, to }: { text: string; action: string; to: string }) {
  return (
    <Gate title={t('signIn.linkOver')}>
      <Notice tone="amber">{text}</Notice>
      <LinkButton kind="primary" size="wide" to={to}>
        {action}
      </LinkButton>
    </Gate>
  );
}
