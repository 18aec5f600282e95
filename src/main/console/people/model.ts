import type { Permission, PlatformRole, ProjectMember, RoleView, User, UserInvitation } from '#api';

export type Member = ProjectMember;
export type Invitation = UserInvitation;
export type Role = RoleView;
export type { Permission, PlatformRole, User };

export const PLATFORM_ROLES: readonly PlatformRole[] = ['ADMIN', 'OPERATOR', 'MEMBER'];

export type Asked =
  | { what: 'invite'; type: 'PROJECT' | 'PLATFORM' }
  | { what: 'link'; invitation: Invitation }
  | { what: 'revoke'; invitation: Invitation }
  | { what: 'remove'; member: Member }
  | { what: 'newRole' }
  | { what: 'role'; role: Role }
  | { what: 'deleteRole'; role: Role }
  | { what: 'deleteUser'; user: User }
  | { what: 'deactivate'; user: User };

export const nameOf = (user: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  `${user.firstName} ${user.lastName}`.trim() || user.email;

export const entitled = <T extends Pick<User, 'platformRole' | 'status'>>(users: readonly T[]): T[] =>
  (['ADMIN', 'OPERATOR'] as const).flatMap((role) =>
    users.filter((user) => user.platformRole === role && user.status === 'ACTIVE'),
  );

export const initialsOf = (user: Pick<User, 'firstName' | 'lastName' | 'email'>): string =>
  `${user.firstName[0] ?? ''}${user.lastName[0] ?? ''}`.toUpperCase() || (user.email[0] ?? '').toUpperCase();

/** Plausibility check of an e-mail address; the server validates it. */
export const isAddress = (text: string): boolean => /^\S+@\S+\.\S+$/.test(text.trim());

/** Permissions of one subject, from read to write. */
export interface Subject {
  key: string;
  permissions: readonly Permission[];
}

/** Permissions of a role by subject, in the order of importance. */
export const SUBJECTS: readonly Subject[] = [
  { key: 'FLOW', permissions: ['READ_FLOW', 'WRITE_FLOW', 'UPDATE_FLOW_STATUS'] },
  { key: 'RUN', permissions: ['READ_RUN', 'WRITE_RUN'] },
  { key: 'FOLDER', permissions: ['READ_FOLDER', 'WRITE_FOLDER'] },
  { key: 'TABLE', permissions: ['READ_TABLE', 'WRITE_TABLE'] },
  { key: 'APP_CONNECTION', permissions: ['READ_APP_CONNECTION', 'WRITE_APP_CONNECTION'] },
  { key: 'VARIABLE', permissions: ['READ_VARIABLE', 'WRITE_VARIABLE'] },
  { key: 'AGENT', permissions: ['READ_AGENT', 'WRITE_AGENT'] },
  { key: 'MCP', permissions: ['READ_MCP', 'WRITE_MCP'] },
  { key: 'KNOWLEDGE_BASE', permissions: ['READ_KNOWLEDGE_BASE', 'WRITE_KNOWLEDGE_BASE'] },
  { key: 'PROJECT', permissions: ['READ_PROJECT', 'WRITE_PROJECT'] },
  { key: 'PROJECT_MEMBER', permissions: ['READ_PROJECT_MEMBER', 'WRITE_PROJECT_MEMBER'] },
  { key: 'INVITATION', permissions: ['READ_INVITATION', 'WRITE_INVITATION'] },
  { key: 'ALERT', permissions: ['READ_ALERT', 'WRITE_ALERT'] },
  { key: 'PROJECT_RELEASE', permissions: ['READ_PROJECT_RELEASE', 'WRITE_PROJECT_RELEASE'] },
];

/** Permissions after one is granted or revoked: write implies read, and without read there is no write. */
export function toggled(permissions: ReadonlySet<Permission>, permission: Permission, on: boolean): Set<Permission> {
  const after = new Set(permissions);
  const subject = SUBJECTS.find((each) => each.permissions.includes(permission))!;
  const [read] = subject.permissions;
  if (on) {
    after.add(permission);
    after.add(read!);
  } else if (permission === read) {
    subject.permissions.forEach((each) => after.delete(each));
  } else {
    after.delete(permission);
  }
  return after;
}
