import type { ComponentChildren } from 'preact';
import { Empty } from '../base/components/States';
import { session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { Page } from '../frame/Page';

/** Page of the administration: users without the administrator role see a notice, and no request is sent. */
export function PlatformPage({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: () => ComponentChildren;
}) {
  const isAdmin = useStore(session, (now) => now.state === 'in' && now.user.platformRole === 'ADMIN');
  return isAdmin ? (
    <Page title={title} actions={actions}>
      {children()}
    </Page>
  ) : (
    <Page title={title}>
      <Empty icon="lock" title={t('platform.notAdmin.title')} text={t('platform.notAdmin.text')} />
    </Page>
  );
}
