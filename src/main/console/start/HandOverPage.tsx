import { useEffect, useState } from 'preact/hooks';
import { api } from '../base/api/client';
import { LinkButton } from '../base/components/Button';
import { Notice, Skeleton } from '../base/components/States';
import { prefix } from '../base/prefix';
import { t } from '../base/text';
import { Gate } from './Gate';
import { BEGUN } from './Providers';

/** Target of a SAML response. Only a sign-in that this tab has started is accepted. */
export default function HandOverPage() {
  const [refused, setRefused] = useState(false);
  useEffect(() => {
    const begun = sessionStorage.getItem(BEGUN);
    sessionStorage.removeItem(BEGUN);
    history.replaceState(null, '', location.pathname);
    if (begun === null) {
      setRefused(true);
      return;
    }
    void api('POST /v1/authn/hand-over', {}).then((taken) =>
      taken.ok ? location.replace(`${prefix}/`) : setRefused(true),
    );
  }, []);
  return refused ? (
    <Gate title={t('signIn.notIn')}>
      <Notice tone="red">{t('signIn.notBegun')}</Notice>
      <LinkButton kind="primary" size="wide" to="/sign-in">
        {t('signIn.submit')}
      </LinkButton>
    </Gate>
  ) : (
    <Gate title={t('signIn.handOver')}>
      <Skeleton lines={1} />
    </Gate>
  );
}
