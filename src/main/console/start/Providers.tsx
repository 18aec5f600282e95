import { useRef, useState } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { grantOf, openPopup, redirectUrlOf } from '../base/popup';
import { prefix } from '../base/prefix';
import { t } from '../base/text';
import type { Provider } from './ways';

type Session = Answer<'POST /v1/authn/federated/claim'>;

/** Mark in the session storage that this tab has started a SAML sign-in: unsolicited responses are rejected. */
export const BEGUN = 'signOn';

interface Props {
  providers: readonly Provider[];
  flags: Record<string, unknown>;
  welcome: (session: Session) => Promise<void>;
}

export function Providers({ providers, flags, welcome }: Props) {
  const [refusal, setRefusal] = useState<Failure>();
  const attempts = useRef(0);
  /** Settles when the provider's page opens: another press raises that window. */
  const begin = async (provider: Provider): Promise<void> => {
    const attempt = ++attempts.current;
    setRefusal(undefined);
    if (provider === 'saml') {
      sessionStorage.setItem(BEGUN, 'begun');
      location.assign(`${prefix}/api/v1/authn/saml/login`);
      return;
    }
    const popup = openPopup('sign-on', t('signIn.opening'));
    const login = await api('GET /v1/authn/federated/login', { query: { providerName: provider } });
    if (!popup || !login.ok) {
      popup?.close();
      setRefusal(login.ok ? failure('POPUP', { message: t('connect.popup') }) : login.failure);
      return;
    }
    popup.location.href = login.value.loginUrl;
    void claim(provider, popup, attempt).then(setRefusal);
  };
  const claim = async (provider: Provider, popup: Window, attempt: number): Promise<Failure | undefined> => {
    const granted = await grantOf(popup, redirectUrlOf(flags));
    if (attempt !== attempts.current) {
      return undefined;
    }
    if (!granted) {
      return failure('POPUP', { message: t('signIn.closed') });
    }
    if ('refusal' in granted) {
      return failure('POPUP', { message: t('signIn.refused', { reason: granted.refusal }) });
    }
    const claimed = await api('POST /v1/authn/federated/claim', { body: { providerName: provider, ...granted } });
    if (claimed.ok) {
      await welcome(claimed.value);
    }
    return claimed.ok ? undefined : claimed.failure;
  };
  return (
    <div class="providers">
      {providers.map((provider) => (
        <Button key={provider} size="wide" more={{ 'data-provider': provider }} onClick={() => begin(provider)}>
          {t(`signIn.with.${provider}`)}
        </Button>
      ))}
      {refusal ? <Notice failure={refusal} /> : null}
    </div>
  );
}
