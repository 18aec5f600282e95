import { failure } from '../base/api/failure';
import { equal, test } from '../base/testing';
import { placeAfterwards, problemsOf, waysOf } from './ways';

test('sign-in methods are those of the server', () => {
  equal(
    waysOf({
      EMAIL_AUTH_ENABLED: true,
      SMTP_CONFIGURED: true,
      EMAIL_CODE_AUTH_ENABLED: true,
      THIRD_PARTY_AUTH_PROVIDERS_TO_SHOW_MAP: { saml: true, google: false },
    }),
    { codes: true, passwords: true, links: true, providers: ['saml'] },
  );
  equal(waysOf({ EMAIL_AUTH_ENABLED: false, SMTP_CONFIGURED: true }), {
    codes: false,
    passwords: false,
    links: false,
    providers: [],
  });
});

test('an error is shown at its field', () => {
  const words = (): string => 'wrong';
  equal(problemsOf(failure('INVALID_CREDENTIALS'), ['email', 'password'], words), { password: 'wrong' });
  equal(problemsOf(failure('INVALID_OTP'), ['email'], words), {});
  equal(problemsOf(failure('FST_ERR_VALIDATION', { fields: { email: 'Invalid' } }), ['email'], words), {
    email: 'Invalid',
  });
});

test('a sign-in redirects to this server only', () => {
  const here = 'https://mill.example';
  equal(placeAfterwards('/authorize?x=1', here), 'https://mill.example/authorize?x=1');
  for (const from of ['//evil.example', '/\\evil.example', 'https://evil.example', '/\t/evil.example', '', null]) {
    equal(placeAfterwards(from, here), undefined);
  }
});
