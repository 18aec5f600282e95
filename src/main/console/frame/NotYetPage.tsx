import { Empty } from '../base/components/States';
import { prefix } from '../base/prefix';
import { t } from '../base/text';
import { Page } from './Page';

export default function NotYetPage() {
  return (
    <Page title={t('page.notYet.title')}>
      <Empty icon="wrench" title={t('page.notYet.title')} text={t('page.notYet.text')}>
        <a class="button" href={`${prefix}/api/v1/docs`}>
          {t('base.apiReference')}
        </a>
      </Empty>
    </Page>
  );
}
