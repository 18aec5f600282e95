import { useEffect, useState } from 'preact/hooks';
import type { Answer } from '../base/api/client';
import { Notice, Skeleton } from '../base/components/States';
import { currentPlace, navigate } from '../base/router';
import { enter, session } from '../base/session';
import { useStore } from '../base/store';
import { t } from '../base/text';
import { AskForm, CodeForm, ForgottenForm, NameForm, PasswordForm, SignUpForm, type View } from './forms';
import { Gate } from './Gate';
import { Providers } from './Providers';
import { placeAfterwards, waysOf, type Ways } from './ways';

type Session = Answer<'POST /v1/authentication/sign-in'>;

/**
 * Sign-in and sign-up. At its own address it takes `email`, `signUp=true` after an invitation, and `from`, a path of
 * this server to return to; shown instead of another view, it is replaced by that view afterwards.
 */
export default function SignInPage({ params }: { params: Record<string, string> }) {
  const now = useStore(session);
  const { path, query } = currentPlace();
  const isOver = params['over'] !== undefined;
  const isItsOwn = !isOver && (path === '/sign-in' || path === '/sign-up');
  const from = query.get('from');
  const isForUser = from !== null || query.get('forgotten') === 'true';
  useEffect(() => {
    if (isItsOwn && now.state === 'in' && !isForUser) {
      navigate('/', 'replace');
    }
  }, [now.state]);
  if (now.state === 'starting' || now.state === 'failed' || (now.state === 'in' && !isForUser && !isOver)) {
    return (
      <div class="centre">
        <Skeleton lines={1} />
      </div>
    );
  }
  const signingUp = !isOver && (now.state === 'new' || query.get('signUp') === 'true');
  return (
    <Screen
      ways={waysOf(now.flags)}
      flags={now.flags}
      signingUp={signingUp}
      first={now.state === 'new'}
      address={now.state === 'in' ? now.user.email : (query.get('email') ?? '')}
      isOver={isOver}
      from={isItsOwn ? from : null}
      isItsOwn={isItsOwn}
    />
  );
}

interface Props {
  ways: Ways;
  flags: Record<string, unknown>;
  signingUp: boolean;
  first: boolean;
  address: string;
  from: string | null;
  isItsOwn: boolean;
  isOver: boolean;
}

function Screen({ ways, flags, signingUp, first, address, from, isItsOwn, isOver }: Props) {
  const byPassword: View = signingUp ? 'sign-up' : 'password';
  const [view, setView] = useState<View>(
    ways.links && currentPlace().query.get('forgotten') === 'true' ? 'forgotten' : ways.codes ? 'ask' : byPassword,
  );
  const [email, setEmail] = useState(address);
  const welcome = async (known: Session): Promise<void> => {
    if (!known.platformId) {
      setView('name');
      return;
    }
    const target = placeAfterwards(from, location.origin);
    if (target) {
      location.replace(target);
    } else {
      if (isItsOwn) {
        navigate(first ? '/welcome' : '/', 'replace');
      }
      await enter();
    }
  };
  const others: View[] =
    view === 'ask'
      ? [byPassword]
      : view === 'forgotten'
        ? ['password']
        : [
            ...(ways.codes ? ['ask' as const] : []),
            ...(view === 'password' && ways.links ? ['forgotten' as const] : []),
            ...(view === 'sign-up' && !first ? ['password' as const] : []),
          ];
  const form = { email, onEmail: setEmail, welcome, show: setView, others };
  const byEmail = ways.passwords || ways.codes;
  return (
    <Gate
      title={t(
        view === 'ask' || view === 'password' ? (first ? 'signIn.first' : 'signIn.title') : `signIn.title.${view}`,
      )}
      text={isOver && (view === 'ask' || view === 'password') ? t('signIn.text.over') : textOf(view, email)}>
      {!byEmail ? null : view === 'ask' ? (
        <AskForm {...form} />
      ) : view === 'code' ? (
        <CodeForm {...form} />
      ) : view === 'name' ? (
        <NameForm {...form} />
      ) : view === 'sign-up' ? (
        <SignUpForm {...form} />
      ) : view === 'forgotten' ? (
        <ForgottenForm {...form} />
      ) : (
        <PasswordForm {...form} />
      )}
      {ways.providers.length > 0 && view !== 'code' && view !== 'name' ? (
        <Providers providers={ways.providers} flags={flags} welcome={welcome} />
      ) : null}
      {!byEmail && ways.providers.length === 0 ? <Notice tone="amber">{t('signIn.emailOff')}</Notice> : null}
    </Gate>
  );
}

function textOf(view: View, email: string): string {
  switch (view) {
    case 'ask':
      return t('signIn.text.ask');
    case 'code':
      return t('signIn.text.code', { email });
    case 'name':
      return t('signIn.text.name');
    case 'forgotten':
      return t('signIn.text.forgotten');
    default:
      return '';
  }
}
