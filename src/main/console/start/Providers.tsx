import { useState } from 'preact/hooks';
import { api, type Answer } from '../base/api/client';
import { failure, type Failure } from '../base/api/failure';
import { Button } from '../base/components/Button';
import { Notice } from '../base/components/States';
import { codeOf, openPopup, redirectUrlOf } from '../base/popup';
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

/** Buttons of the identity providers. */
export function Providers({ providers, flags, welcome }: Props) {
  const [refusal, setRefusal] = useState<Failure>();
  const begin = async (provider: Provider): Promise<Failure | undefined> => {
    if (provider === 'saml') {
      sessionStorage.setItem(BEGUN, 'begun');
      location.assign(`${prefix}/api/v1/authn/saml/login`);
      return undefined;
    }
    const popup = openPopup('sign-on', t('signIn.opening'));
    const login = await api('GET /v1/authn/federated/login', { query: { providerName: provider } });
    if (!popup || !login.ok) {
      popup?.close();
      return login.ok ? failure('POPUP', { message: t('connect.popup') }) : login.failure;
    }
    popup.location.href = login.value.loginUrl;
    const granted = await codeOf(popup, redirectUrlOf(flags));
    if (!granted) {
      return failure('POPUP', { message: t('signIn.closed') });
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
        <Button
          key={provider}
          size="wide"
          more={{ 'data-provider': provider }}
          onClick={() => begin(provider).then(setRefusal)}>
          {t(`signIn.with.${provider}`)}
        </Button>
      ))}
      {refusal ? <Notice failure={refusal} /> : null}
    </div>
  );
}
