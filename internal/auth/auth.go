// Package auth holds people, roles, the permission matrix and the rules of passwords and
// sessions. It is pure: no SQL, no HTTP, no clock.
//
// A *User answers "may this person do that" by User.Can; a nil *User is a visitor. Routes
// and pages ask for a Permission and never for a Role.
package auth
