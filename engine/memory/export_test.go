package memory

import (
	"context"
	"fmt"
)

// LimitSize makes the disk of the memory as small as a number of pages.
func (m *Memory) LimitSize(ctx context.Context, pages int) error {
	db := m.in.(*folder).db
	db.SetMaxOpenConns(1) // the limit is one of a connection
	_, err := db.ExecContext(ctx, fmt.Sprintf("PRAGMA max_page_count = %d", pages))
	return err
}
