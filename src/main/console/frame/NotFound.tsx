import { LinkButton } from '../base/components/Button';
import { Empty } from '../base/components/States';
import { t } from '../base/text';

export function NotFound({ home }: { home: string }) {
  return (
    <Empty icon="route" title={t('page.notFound.title')} text={t('page.notFound.text')}>
      <LinkButton to={home}>{t('page.notFound.home')}</LinkButton>
    </Empty>
  );
}
